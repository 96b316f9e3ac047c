// Every text of the pages, in English and Chinese: one table, so that neither can lack one. {0}, {1}: what t() is given.
import { Store, useStore } from "./store";

const table = {
  // The frame
  search: ["Find runs, tags, pages", "查找运行、标签、页面"],
  running: ["{0} running", "{0} 个正在运行"],
  damaged: ["{0} regions lost", "丢失 {0} 处"],
  damagedOne: ["1 region lost", "丢失 1 处"],
  keys: ["Keys", "快捷键"],
  language: ["中文", "English"],
  theme: ["Light or dark", "浅色或深色"],
  close: ["Close", "关闭"],
  pages: ["Pages", "页面"],
  overview: ["Overview", "总览"],
  scalars: ["Scalars", "标量"],
  distributions: ["Distributions", "分布"],
  media: ["Media", "媒体"],
  tensors: ["Tensors", "张量"],
  graphs: ["Graphs", "计算图"],
  lineage: ["Lineage", "溯源"],
  landscape: ["Landscape", "损失地形"],
  // States
  loading: ["Loading", "正在加载"],
  stillReading: ["Still reading: the list grows", "仍在读取，列表会增长"],
  offline: ["The server does not answer. What is shown is from before; it is tried again by itself.", "服务器无应答。显示的是此前的内容，将自动重试。"],
  noAccess: ["This page needs the address that the server printed", "需要服务器打印的地址"],
  noAccessHow: ["It ends in #token=... and opens the page. “sightline url” prints it again.", "该地址以 #token=... 结尾。“sightline url” 会再次打印它。"],
  failed: ["Could not be loaded: {0}", "无法加载：{0}"],
  retry: ["Try again", "重试"],
  noRuns: ["No runs here yet", "这里还没有运行"],
  noRunsHow: ["A run appears as soon as something is recorded below this directory:", "此目录下一有记录，运行就会出现："],
  noMatch: ["No run matches", "没有匹配的运行"],
  noneSelected: ["No run is selected. Select some in the table of runs.", "没有选中运行。请在运行表中选择。"],
  noScalars: ["The selected runs hold no scalars. This records one:", "选中的运行没有标量。这样记录："],
  noDistributions: ["The selected runs hold no histograms. This records one:", "选中的运行没有直方图。这样记录："],
  noMedia: ["The selected runs hold no images, sounds or texts. This records an image:", "选中的运行没有图像、音频或文本。这样记录图像："],
  noTensors: ["The selected runs hold no tensors. This records one:", "选中的运行没有张量。这样记录："],
  noGraphs: ["The selected runs hold no graph. SummaryMonitor records it:", "选中的运行没有计算图。SummaryMonitor 会记录它："],
  noLineage: ["The runs hold no lineage. SummaryMonitor records it; values of your own:", "运行没有溯源信息。SummaryMonitor 会记录它；也可自定义："],
  noLandscape: ["The selected runs hold no loss landscape (MindSpore's SummaryLandscape records one).", "选中的运行没有损失地形（可由 MindSpore 的 SummaryLandscape 记录）。"],
  noTagMatch: ["No tag matches “{0}”.", "没有标签匹配“{0}”。"],
  badPattern: ["The pattern cannot be read: {0}", "无法读取该模式：{0}"],
  // Runs
  runs: ["Runs", "运行"],
  runsOf: ["{0} of {1} runs", "{0} / {1} 个运行"],
  query: ["Filter runs, e.g. last(\"loss\") < 0.1", "筛选运行，例如 last(\"loss\") < 0.1"],
  selected: ["{0} selected", "已选 {0} 个"],
  selectAll: ["Select all", "全选"],
  selectNone: ["None", "清空"],
  selectFirst: ["As at first", "恢复默认"],
  select: ["Show {0}", "显示 {0}"],
  widen: ["Wide", "加宽"],
  narrow: ["Narrow", "收窄"],
  hideRuns: ["Hide the runs", "隐藏运行表"],
  showRuns: ["Runs", "运行"],
  columns: ["Columns", "列"],
  sortBy: ["Sort by {0}", "按 {0} 排序"],
  name: ["run", "运行"],
  state: ["state", "状态"],
  lastStep: ["step", "步"],
  lastTime: ["last event", "最后事件"],
  resize: ["Width of the runs table", "运行表宽度"],
  stateRunning: ["running", "运行中"],
  stateStalled: ["stalled", "停滞"],
  stateKilled: ["killed", "被终止"],
  stateFinished: ["finished", "已完成"],
  stateEnded: ["ended", "已结束"],
  lastOf: ["last", "最后"],
  minOf: ["min", "最小"],
  maxOf: ["max", "最大"],
  // Scalars
  tagFilter: ["Tags: text or /pattern/", "标签：文本或 /正则/"],
  axis: ["x axis", "横轴"],
  axisStep: ["step", "步"],
  axisRelative: ["relative time", "相对时间"],
  axisTime: ["wall time", "时钟时间"],
  smoothing: ["smoothing", "平滑"],
  yLog: ["log y", "对数 y"],
  reset: ["Whole range", "完整范围"],
  range: ["{0} to {1}", "{0} 至 {1}"],
  tagsCount: ["{0} tags", "{0} 个标签"],
  tagsOne: ["1 tag", "1 个标签"],
  showTable: ["Values as a table", "以表格显示"],
  showChart: ["Chart", "图表"],
  fullScreen: ["Full size", "放大"],
  leaveFull: ["Small again", "缩小"],
  saveCsv: ["CSV", "CSV"],
  savePng: ["PNG", "PNG"],
  copy: ["Copy", "复制"],
  notFinite: ["{0} not finite", "{0} 个非有限值"],
  nanMarks: ["{0} NaN", "{0} 个 NaN"],
  infMarks: ["{0} infinite", "{0} 个无穷"],
  logLeftOut: ["{0} values are not positive: not on a log axis", "{0} 个值非正，不在对数轴上"],
  chartOf: ["{0}: {1} runs, {2} to {3}. Arrow keys move the cursor, plus and minus zoom.", "{0}：{1} 个运行，{2} 至 {3}。方向键移动光标，加减键缩放。"],
  stepAt: ["step {0}", "第 {0} 步"],
  valuesOf: ["Values of {0}", "{0} 的值"],
  pointsShown: ["{0} of {1} rows", "{0} / {1} 行"],
  csvHasAll: ["The CSV has every point.", "CSV 含每个点。"],
  csvHasRows: ["The CSV has every row.", "CSV 含每一行。"],
  csvHasColumns: ["The CSV has each longer series in {0} parts, with the smallest and largest value of each.", "CSV 将较长的序列分为 {0} 段，含每段的最小和最大值。"],
  csvColumns: ["longer series in {0} parts with their smallest and largest values, not every point", "较长的序列分为 {0} 段，含最小和最大值，而非每个点"],
  columnsShown: ["Each row is a part of the range: its smallest and largest value are exact.", "每行为一段范围，其最小和最大值是精确的。"],
  smoothedColumns: ["smoothed over {0} columns", "在 {0} 列上平滑"],
  value: ["value", "值"],
  count: ["count", "个数"],
  step: ["step", "步"],
  time: ["time", "时间"],
  // Overview
  atStep: ["Step {0}.", "第 {0} 步。"],
  stepRate: ["{0} steps a second.", "每秒 {0} 步。"],
  took: ["{0} so far", "已用 {0}"],
  tookInAll: ["{0} in all", "共 {0}"],
  objectiveIs: ["{0} is {1}", "{0} 为 {1}"],
  falling: ["and falling", "，正在下降"],
  rising: ["and rising", "，正在上升"],
  flat: ["and flat", "，保持平稳"],
  bestAt: ["; its least was {0}.", "；最小为 {0}。"],
  alarmNan: ["{0} values are NaN or infinite", "{0} 个值为 NaN 或无穷"],
  alarmNanOne: ["1 value is NaN or infinite", "1 个值为 NaN 或无穷"],
  alarmStalled: ["nothing recorded for {0}", "{0} 未有记录"],
  alarmKilled: ["was killed; “sightline recover” completes its files", "被终止；“sightline recover” 可补全文件"],
  alarmDamage: ["{0} regions of its files are damaged", "文件有 {0} 处损坏"],
  alarmDamageOne: ["1 region of its files is damaged", "文件有 1 处损坏"],
  differs: ["Differs from {0} in", "与 {0} 的差异："],
  sameAs: ["Recorded settings equal those of {0}", "记录的设置与 {0} 相同"],
  moreRuns: ["{0} more are selected; the table lists them.", "另选中 {0} 个，见运行表。"],
  noObjective: ["It recorded no scalar named loss.", "没有名为 loss 的标量。"],
  // Media, distributions, tensors
  images: ["Images", "图像"],
  audio: ["Audio", "音频"],
  texts: ["Texts", "文本"],
  oneSlider: ["one step for all", "统一步数"],
  stepOf: ["Step of {0}", "{0} 的步"],
  previous: ["Step before", "上一步"],
  next: ["Step after", "下一步"],
  actualSize: ["Actual size", "原始大小"],
  fitSize: ["Fit", "适应"],
  brightness: ["brightness", "亮度"],
  contrast: ["contrast", "对比度"],
  pixels: ["{0} × {1} pixels", "{0} × {1} 像素"],
  ridges: ["ridges", "山脊图"],
  heat: ["heat map", "热力图"],
  overlay: ["overlay", "叠加"],
  display: ["display", "显示"],
  elements: ["{0} values", "{0} 个值"],
  shownSteps: ["{0} of {1} steps", "{0} / {1} 步"],
  bucket: ["{0} to {1}: {2}", "{0} 至 {1}：{2}"],
  slice: ["slice", "切片"],
  sliceHint: ["as NumPy writes it: [0, :, ::2]", "与 NumPy 写法相同：[0, :, ::2]"],
  shape: ["shape", "形状"],
  dtype: ["type", "类型"],
  mean: ["mean", "均值"],
  std: ["std", "标准差"],
  colour: ["colours", "着色"],
  saveNpy: ["npy", "npy"],
  cutOff: ["{0} of {1} rows and {2} of {3} columns are drawn; a slice shows the others", "显示 {0} / {1} 行、{2} / {3} 列，可用切片查看其余"],
  // Graphs
  graph: ["graph", "图"],
  computational: ["computational", "计算图"],
  dataset: ["dataset", "数据集"],
  findNode: ["Find a node by name or type", "按名称或类型查找节点"],
  matches: ["{0} matches", "{0} 个匹配"],
  unfold: ["Unfold {0}", "展开 {0}"],
  fold: ["Fold", "折叠"],
  foldAll: ["Fold all", "全部折叠"],
  fit: ["Fit", "适应窗口"],
  nodes: ["{0} nodes", "{0} 个节点"],
  attributes: ["Attributes", "属性"],
  inputs: ["Inputs", "输入"],
  outputs: ["Outputs", "输出"],
  leftOut: ["{0} entries of this scope are not drawn", "此作用域有 {0} 项未画出"],
  selectNode: ["Select a node to see its attributes; a double click or Enter unfolds a scope.", "选择节点查看属性；双击或回车展开作用域。"],
  nodeName: ["name", "名称"],
  nodeList: ["Nodes as a list", "节点列表"],
  type: ["type", "类型"],
  saveSvg: ["SVG", "SVG"],
  // Lineage
  objective: ["objective", "目标"],
  parameters: ["columns", "列"],
  brushHint: ["Drag along an axis to keep the runs within; a click on it lets go.", "沿轴拖动可筛选运行，单击轴取消。"],
  kept: ["{0} of {1} runs kept", "保留 {0} / {1} 个运行"],
  selectKept: ["Select these", "选中这些"],
  showAxis: ["Show {0}", "显示 {0}"],
  // Landscape
  contours: ["contours", "等高线"],
  surface: ["3-D", "三维"],
  levels: ["levels", "层数"],
  logColours: ["log colours", "对数着色"],
  lossHere: ["loss {0} at {1}, {2}", "损失 {0}，位于 {1}, {2}"],
  turn: ["Arrow keys or dragging turn it.", "方向键或拖动可旋转。"],
  pathStart: ["start", "起点"],
  pathEnd: ["end", "终点"],
  grid: ["{0} × {1} points", "{0} × {1} 点"],
  // Keys
  keyPages: ["a page", "页面"],
  keyRuns: ["next, previous run", "下一个、上一个运行"],
  keySelect: ["select the run", "选择运行"],
  keyFilter: ["filter", "筛选"],
  keyFind: ["find anything", "查找"],
  keyCursor: ["move a chart's cursor", "移动图表光标"],
  keyZoom: ["zoom a chart", "缩放图表"],
  keyReset: ["whole range", "完整范围"],
  keyFull: ["a chart in full size", "放大图表"],
  keySmooth: ["smoothing", "平滑"],
  keyLog: ["log y axis", "对数 y 轴"],
  keyTheme: ["light or dark", "浅色或深色"],
  keyHelp: ["these keys", "快捷键"],
} as const satisfies Record<string, readonly [string, string]>;

export type TextKey = keyof typeof table;
export type Language = "en" | "zh";

function firstLanguage(): Language {
  try {
    const kept = localStorage.getItem("sightline.language");
    if (kept === "en" || kept === "zh") return kept;
  } catch {
    // No storage: the browser's language will do.
  }
  return typeof navigator !== "undefined" && navigator.language.startsWith("zh") ? "zh" : "en";
}

export const language = new Store<Language>(firstLanguage());

export function setLanguage(value: Language): void {
  try {
    localStorage.setItem("sightline.language", value);
  } catch {
    // It holds until the page is closed.
  }
  language.set(value);
}

export function t(key: TextKey, ...values: (string | number)[]): string {
  const text: string = table[key][language.get() === "zh" ? 1 : 0];
  return text.replace(/\{(\d)\}/g, (_, i: string) => String(values[Number(i)] ?? ""));
}

/** For components: t, and drawn again when the language changes. */
export function useText(): typeof t {
  useStore(language);
  return t;
}

export { table as allTexts };
