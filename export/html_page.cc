#include "sightline/export/html_page.h"

namespace sightline {

const std::string_view kHtmlStyle = R"(
:root { color-scheme: light dark; --line: #2563eb; --band: #2563eb55; --rule: #8886; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
header input { font: inherit; padding: .3rem .5rem; width: min(24rem, 100%); box-sizing: border-box; }
table { border-collapse: collapse; margin: .5rem 0; } td { border-bottom: 1px solid var(--rule);
  padding: .15rem .8rem .15rem 0; overflow-wrap: anywhere; vertical-align: top; }
.grid { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
figure { margin: 0; border: 1px solid var(--rule); border-radius: 6px; padding: .5rem; min-width: 0; }
figcaption { font-weight: 600; overflow-wrap: anywhere; } figure p { margin: .2rem 0 0; min-height: 1.5em;
  font-size: 12px; font-variant-numeric: tabular-nums; }
canvas { width: 100%; height: 12rem; display: block; touch-action: pan-y; }
img { max-width: 100%; max-height: 24rem; image-rendering: pixelated; }
)";

// Columns of a canvas: data-c holds step offset (uint32), minimum, maximum (float32) of each,
// data-s the first step, data-k what an offset counts. Drag to zoom, double click to see all.
const std::string_view kHtmlScript = R"('use strict';
(() => {
  const number = (v) => Number.isFinite(v) ? String(+v.toPrecision(7)) : String(v);
  const setUp = (canvas) => {
    const bytes = Uint8Array.from(atob(canvas.dataset.c), (c) => c.charCodeAt(0));
    const view = new DataView(bytes.buffer), columns = [];
    const first = Number(canvas.dataset.s), scale = Number(canvas.dataset.k);
    for (let at = 0; at < bytes.length; at += 12)
      columns.push({x: first + scale * view.getUint32(at, true), low: view.getFloat32(at + 4, true),
                    high: view.getFloat32(at + 8, true)});
    const note = canvas.parentElement.querySelector('p'), all = note.textContent;
    const last = columns[columns.length - 1].x;
    let range = [first, last], drag = null, place = null;
    const draw = () => {
      const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
      if (!width) return;
      canvas.width = width * ratio; canvas.height = height * ratio;
      const to = canvas.getContext('2d'), style = getComputedStyle(canvas);
      to.scale(ratio, ratio); to.font = '11px system-ui'; to.fillStyle = style.color;
      const shown = columns.filter((c) => c.x >= range[0] && c.x <= range[1]);
      const finite = shown.filter((c) => Number.isFinite(c.low) && Number.isFinite(c.high));
      let low = Infinity, high = -Infinity;
      for (const c of finite) { low = Math.min(low, c.low); high = Math.max(high, c.high); }
      if (!finite.length) { to.fillText('no finite values', 8, 16); return; }
      const pad = high > low ? (high - low) * 0.05 : Math.abs(low) * 0.1 || 1;
      const bottom = low - pad, top = high + pad, left = 4, right = width - 4, base = height - 16;
      const x = (s) => range[1] > range[0] ?
          left + (right - left) * (s - range[0]) / (range[1] - range[0]) : (left + right) / 2;
      const y = (v) => base - (base - 14) * (v - bottom) / (top - bottom);
      place = (px) => range[0] + (range[1] - range[0]) * (px - left) / (right - left);
      to.strokeStyle = style.getPropertyValue('--rule');
      to.beginPath();
      for (const v of [low, high]) { to.moveTo(left, y(v)); to.lineTo(right, y(v)); }
      to.stroke();
      to.fillText(number(high), left, 11); to.fillText(number(low), left, base - 3);
      to.fillText(number(range[0]), left, height - 3);
      to.textAlign = 'right'; to.fillText(number(range[1]), right, height - 3);
      to.strokeStyle = to.fillStyle = style.getPropertyValue('--line');
      to.lineWidth = 1.25; to.beginPath();
      let open = false;
      for (const c of shown) {
        if (!Number.isFinite(c.low) || !Number.isFinite(c.high)) { open = false; continue; }
        open ? to.lineTo(x(c.x), y(c.low)) : to.moveTo(x(c.x), y(c.low));
        to.lineTo(x(c.x), y(c.high)); open = true;
      }
      to.stroke();
      if (shown.length < 60) for (const c of finite) to.fillRect(x(c.x) - 1.5, y(c.high) - 1.5, 3, 3);
      if (drag) {
        to.fillStyle = style.getPropertyValue('--band');
        to.fillRect(Math.min(...drag), 0, Math.abs(drag[1] - drag[0]), base);
      }
    };
    const at = (event) => event.clientX - canvas.getBoundingClientRect().left;
    canvas.addEventListener('pointerdown', (event) => {
      drag = [at(event), at(event)]; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener('pointermove', (event) => {
      if (drag) { drag[1] = at(event); draw(); }
      if (!place) return;
      const step = place(at(event));
      let near = columns[0];
      for (const c of columns) if (Math.abs(c.x - step) < Math.abs(near.x - step)) near = c;
      note.textContent = `step ${near.x}: ` + (near.low === near.high || Number.isNaN(near.low) ?
          number(near.low) : `${number(near.low)} to ${number(near.high)}`);
    });
    canvas.addEventListener('pointerleave', () => { note.textContent = all; });
    canvas.addEventListener('pointerup', () => {
      const ends = drag ? drag.map(place).sort((a, b) => a - b) : null;
      if (ends && Math.abs(drag[1] - drag[0]) > 4) range = ends;
      drag = null; draw();
    });
    canvas.addEventListener('dblclick', () => { range = [first, last]; draw(); });
    new ResizeObserver(draw).observe(canvas);
    draw();
  };
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) { watch.unobserve(entry.target); setUp(entry.target); }
  }, {rootMargin: '300px'});
  for (const canvas of document.querySelectorAll('canvas')) watch.observe(canvas);
  document.querySelector('input').addEventListener('input', (event) => {
    const text = event.target.value.toLowerCase();
    for (const figure of document.querySelectorAll('figure'))
      figure.hidden = !figure.querySelector('figcaption').textContent.toLowerCase().includes(text);
  });
})();
)";

}  // namespace sightline
