// Shows Markdown as elements of the page. Nothing in it is HTML, and nothing is fetched.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { type Block, type Inline, readMarkdown } from "./markdown";

// A longer text is shown as it was recorded.
const readAtMost = 200_000;

function inline(parts: readonly Inline[]): ComponentChildren {
  return parts.map((part, i) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "code") return <code key={i}>{part.text}</code>;
    if (part.kind === "link")
      return (
        <a
          key={i}
          href={part.address}
          title={part.address}
          target="_blank"
          rel="noopener noreferrer"
        >
          {inline(part.parts)}
        </a>
      );
    const Tag = part.kind;
    return <Tag key={i}>{inline(part.parts)}</Tag>;
  });
}

/** Of an item or a cell: a paragraph alone needs no element of its own. */
function content(blocks: readonly Block[]): ComponentChildren {
  const [first, ...rest] = blocks;
  if (first?.kind !== "paragraph") return <Blocks blocks={blocks} />;
  return [inline(first.parts), rest.length > 0 && <Blocks key="rest" blocks={rest} />];
}

function TableBlock({ rows: [head = [], ...body] }: { rows: readonly Inline[][][] }) {
  return (
    <table class="data">
      <thead>
        <tr>
          {head.map((cell, i) => (
            <th key={i}>{inline(cell)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, i) => (
          <tr key={i}>
            {row.map((cell, j) => (
              <td key={j}>{inline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OneBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return (
        <p class="head-of-text" data-level={block.level}>
          {inline(block.parts)}
        </p>
      );
    case "paragraph":
      return <p>{inline(block.parts)}</p>;
    case "code":
      return <pre>{block.text}</pre>;
    case "rule":
      return <hr />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list": {
      const items = block.items.map((item, i) => <li key={i}>{content(item)}</li>);
      return block.first === null ? <ul>{items}</ul> : <ol start={block.first}>{items}</ol>;
    }
    case "table":
      return <TableBlock rows={block.rows} />;
  }
}

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <>
      {blocks.map((block, i) => (
        <OneBlock key={i} block={block} />
      ))}
    </>
  );
}

/** A recorded text. `plain`: without reading it as Markdown. */
export function Markdown({ text, plain }: { text: string; plain: boolean }) {
  const read = !plain && text.length <= readAtMost;
  const blocks = useMemo(() => (read ? readMarkdown(text) : []), [read, text]);
  return read ? content(blocks) : text;
}
