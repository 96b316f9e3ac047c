// Findings in Chinese. The server writes them in English (profiler/analysis, profiler/cluster); a part that has no
// translation here stays English.

// English parts, and the same in Chinese. {} stands for what was measured; {0}, {1}: the first of them, the second.
const parts: readonly (readonly [string, string])[] = [
  // What is wrong.
  ["The steps wait for their data.", "各步在等待数据。"],
  ["The steps spend much of their time in communication.", "各步有大量时间用于通信。"],
  ["The steps begin late.", "各步开始得晚。"],
  ["The first step is slow.", "第一步很慢。"],
  ["Memory grows from step to step.", "内存逐步增长。"],
  [
    "The device spends much of its time in communication alone.",
    "设备有大量时间只在通信（未被计算掩盖）。",
  ],
  ["The device waits for the host for much of its time.", "设备有大量时间在等待主机下发。"],
  ["The device has nothing to do for much of its time.", "设备有大量时间空闲。"],
  ["Two sources of this profile disagree by more than 1 %.", "该数据的两个来源相差超过 1 %。"],
  ["Each call waits until its kernel has run.", "每次调用都等到其算子执行完。"],
  ["CANN writes a long log.", "CANN 写了大量日志。"],
  [
    "Operators run on the AI CPU, which is far slower than the AI cores.",
    "有算子在 AI CPU 上执行，比 AI Core 慢得多。",
  ],
  ["Operators leave most of the cores idle.", "有算子让大部分核空闲。"],
  ["Operators keep no unit of their cores busy.", "有算子未让核上任何单元饱和。"],
  ["The device lowers the frequency of its cores.", "设备降低了核的频率。"],
  ["The operator {} is slow.", "算子 {0} 很慢。"],
  [
    "Stage {} of the pipeline has more to do than the others.",
    "流水线第 {0} 阶段的任务比其他阶段重。",
  ],
  ["The link {} of {} is slow.", "{1} 的链路 {0} 很慢。"],
  ["The link {} is slow.", "链路 {0} 很慢。"],
  ["The device of {} is slow.", "{0} 的设备很慢。"],
  ["{} spends much of its steps in communication.", "{0} 的步有大量时间用于通信。"],
  [
    "{} keeps the others waiting: its device computes longer.",
    "{0} 让其他卡等待：其设备计算得更久。",
  ],
  [
    "{} keeps the others waiting: its device waits for its host.",
    "{0} 让其他卡等待：其设备在等主机下发。",
  ],
  ["{} keeps the others waiting.", "{0} 让其他卡等待。"],
  ["Host {} keeps the others waiting: {}.", "主机 {0} 让其他主机等待：{1}。"],
  ["Much of what {} carries is in small packets.", "{0} 传输的数据大多是小包。"],
  ["Packets were lost and sent again.", "有数据包丢失并重传。"],
  // What was measured.
  [
    "a step waits {} ms of its {} ms (median of {} steps)",
    "每步 {1} ms 中等待 {0} ms（{2} 步的中位数）",
  ],
  ["{} ms of a step's {} ms (median of {} steps)", "每步 {1} ms 中的 {0} ms（{2} 步的中位数）"],
  [
    "it computes nothing while it communicates for {} ms of a step's {} ms (one step)",
    "每步 {1} ms 中有 {0} ms 只通信不计算（一步）",
  ],
  [
    "it computes nothing while it communicates for {} ms of a step's {} ms (median of {} steps)",
    "每步 {1} ms 中有 {0} ms 只通信不计算（{2} 步的中位数）",
  ],
  ["it is idle for {} ms of a step's {} ms (one step)", "每步 {1} ms 中空闲 {0} ms（一步）"],
  [
    "it is idle for {} ms of a step's {} ms (median of {} steps)",
    "每步 {1} ms 中空闲 {0} ms（{2} 步的中位数）",
  ],
  [
    "it is idle for {} ms of the {} ms from its first task to its last, all {} devices together",
    "从首个任务到最后一个任务的 {1} ms 中空闲 {0} ms（{2} 个设备之和）",
  ],
  [
    "it is idle for {} ms of the {} ms from its first task to its last, the first step aside",
    "从首个任务到最后一个任务的 {1} ms 中空闲 {0} ms（不计第一步）",
  ],
  [
    "it is idle for {} ms of the {} ms from its first task to its last",
    "从首个任务到最后一个任务的 {1} ms 中空闲 {0} ms",
  ],
  [
    "it computes nothing while it communicates for {} ms of the {} ms from its first task to its last, the first step aside",
    "从首个任务到最后一个任务的 {1} ms 中有 {0} ms 只通信不计算（不计第一步）",
  ],
  [
    "it computes nothing while it communicates for {} ms of the {} ms from its first task to its last",
    "从首个任务到最后一个任务的 {1} ms 中有 {0} ms 只通信不计算",
  ],
  [
    "for {} ms of it, the host launched the next task only after the device had become idle",
    "其中 {0} ms 主机在设备空闲之后才下发下一个任务",
  ],
  ["meanwhile the host: {}", "此时主机：{0}"],
  ["that is 1 gap between its tasks, {} us on average", "任务之间有 1 个间隙，{0} us"],
  ["that is {} gaps between its tasks, {} us on average", "任务之间有 {0} 个间隙，平均 {1} us"],
  ["{} ms of it waits for another stage of the pipeline", "其中 {0} ms 在等流水线的其他阶段"],
  ["by kind: {}", "按种类：{0}"],
  ["the collectives take: {}", "各集合通信耗时：{0}"],
  ["the host waits for data meanwhile", "此时主机在等数据"],
  ["the host's innermost calls meanwhile: {}", "此时主机最内层的调用：{0}"],
  ["for {} ms of it the host compiled operators ({})", "其中 {0} ms 主机在编译算子（{1}）"],
  ["for {} ms of it the host collected garbage ({})", "其中 {0} ms 主机在做垃圾回收（{1}）"],
  [
    "for {} ms of it the host had waited for the device ({})",
    "其中 {0} ms 主机之前在等设备（{1}）",
  ],
  [
    "its devices compute for {} ms of a step, those of the others for {} ms ({})",
    "其设备每步计算 {0} ms，其他阶段 {1} ms（{2}）",
  ],
  ["it waits for other stages for {} ms, they for {} ms", "它等其他阶段 {0} ms，其他阶段等 {1} ms"],
  ["{} ms of the kernels' {} ms are on it: {}", "算子 {1} ms 中有 {0} ms 在其上：{2}"],
  [
    "{} ms of a step, {} % of it, pass before its first operator (median of {} steps)",
    "每步有 {0} ms（{1} %）在第一个算子之前（{2} 步的中位数）",
  ],
  // What to try.
  [
    "compare the ranks (`sightline profile cluster`), since waiting for a slow one looks the same",
    "先比较各卡（`sightline profile cluster`），因为等待慢卡看起来一样",
  ],
  [
    "otherwise fewer and larger messages, or communication during the backward pass",
    "否则减少并增大消息，或让通信与反向计算重叠",
  ],
  [
    "otherwise larger batches, fewer and larger messages, or communication during the backward pass",
    "否则增大批次、减少并增大消息，或让通信与反向计算重叠",
  ],
  [
    "balance the stages (`sightline profile cluster` names a slow one), and use more micro-batches",
    "均衡各阶段（`sightline profile cluster` 会指出慢的阶段），并增加 micro-batch 数",
  ],
  [
    "profiler_level=Level1 records how long each collective waits and what its links carry",
    "profiler_level=Level1 会记录每个集合通信的等待和链路流量",
  ],
  [
    "record the host with its launches, too (activities with the CPU, and a trace), to see what it does in the gaps",
    "同时采集主机及其下发（activities 含 CPU，并采集轨迹），以查看间隙中主机在做什么",
  ],
  [
    "record what the host does there: its operators and Python's stacks (with_stack)",
    "采集主机此时在做什么：其算子和 Python 调用栈（with_stack）",
  ],
  [
    "no allocations in the loop: no empty_cache(), and buffers that are used again",
    "循环中不要分配显存：不调用 empty_cache()，并重复使用缓冲区",
  ],
  [
    "fewer and larger operators: larger batches, fused operators (torch.compile), or graphs that launch many kernels at once (CUDA graphs)",
    "减少并增大算子：更大的批次、融合算子（torch.compile），或一次下发多个核函数的图（CUDA graphs）",
  ],
  ["what is not recorded: {}", "未采集：{0}"],
  [
    "probably the host launches too slowly: larger or fused operators, graphs instead of single calls, and fewer calls that wait for the device",
    "可能是主机下发太慢：使用更大或融合的算子、以图代替单个调用，并减少等待设备的调用",
  ],
  ["fewer and larger operators, too", "并减少、增大算子"],
  [
    "fixed shapes, or no compilation at run time (torch.npu.set_compile_mode(jit_compile=False)), and a warm-up before profiling",
    "固定 shape，或关闭运行时编译（torch.npu.set_compile_mode(jit_compile=False)），并在采集前预热",
  ],
  [
    "gc.freeze() after the start, or gc.disable() and gc.collect() every thousand steps",
    "启动后调用 gc.freeze()，或 gc.disable() 并每千步 gc.collect() 一次",
  ],
  [
    "fewer calls that wait for the device: .item(), bool(tensor) and printing only every hundred steps",
    "减少等待设备的调用：.item()、bool(tensor) 和打印每百步一次即可",
  ],
  [
    "more workers of the loader, a deeper queue, less work for each sample, or data on a faster disk",
    "增加数据加载进程、加深队列、减少每个样本的处理，或使用更快的磁盘",
  ],
  [
    "more workers of the loader, a deeper queue, or less work for each sample",
    "增加数据加载进程、加深队列，或减少每个样本的处理",
  ],
  [
    "see whether data is missing there (`sightline profile data`), or the program does something else between its steps: callbacks, logs, checkpoints",
    "查看此处是否缺数据（`sightline profile data`），或程序在步之间做了其他事：回调、日志、检查点",
  ],
  [
    "its one-time work (compiling, allocating, filling caches) can be saved (a compile cache, a warm-up before the clock runs) or matters less in a longer run",
    "其一次性工作（编译、分配、填充缓存）可以省去（编译缓存、计时前预热），训练更长时影响更小",
  ],
  [
    "look for objects that each step leaves behind: losses with their graphs, a list of results, a cache without a limit",
    "查找每步遗留的对象：带计算图的损失、结果列表、无上限的缓存",
  ],
  [
    "see whether a file of it was cut, or belongs to another profile",
    "检查是否有文件被截断，或属于另一份数据",
  ],
  [
    "unset ASCEND_LAUNCH_BLOCKING, which is for debugging",
    "取消设置仅用于调试的 ASCEND_LAUNCH_BLOCKING",
  ],
  [
    "ASCEND_GLOBAL_LOG_LEVEL=3, which logs errors only",
    "设置 ASCEND_GLOBAL_LOG_LEVEL=3，只记录错误",
  ],
  [
    "other types of data (int32 or float32 in place of int64, float64 or complex), or another operator that the AI cores have",
    "换数据类型（以 int32 或 float32 代替 int64、float64 或复数），或换 AI Core 支持的算子",
  ],
  [
    "larger batches or shapes that can be cut into as many blocks as there are cores",
    "使用更大的批次，或能按核数切块的 shape",
  ],
  ["fuse small operators", "融合小算子"],
  [
    "shapes that are multiples of 16, contiguous inputs without a transposition, larger batches, or a fused operator",
    "使用 16 的倍数的 shape、无需转置的连续输入、更大的批次，或融合算子",
  ],
  [
    "look at the device's temperature and power (`npu-smi info`): its cooling, a power limit, or other programs on it",
    "查看设备的温度和功耗（`npu-smi info`）：散热、功耗限制，或其上的其他程序",
  ],
  ["move layers from this stage to the others", "把部分层移到其他阶段"],
  ["a vocabulary head or a loss counts as layers too", "词表输出层和损失也算层"],
  ["look at the cable and the port", "检查线缆和端口"],
  ["small messages use a link badly: merge them", "小消息对链路利用差：请合并"],
  [
    "look at its clock and temperature, and at its part of the data",
    "检查其频率、温度和所分到的数据",
  ],
  ["look at its clock, its temperature and its part of the data", "检查其频率、温度和所分到的数据"],
  [
    "`sightline profile compare` of its profile and another rank's names the operators that take longer",
    "用 `sightline profile compare` 与另一张卡比较，可看出哪些算子更久",
  ],
  [
    "look at what its process does between launches (`sightline profile summary` of its profile), at its data and at other programs on its cores",
    "查看其进程在两次下发之间做什么（对其运行 `sightline profile summary`）、它的数据以及同核上的其他程序",
  ],
  [
    "look at the cable, the port and the errors of the network card",
    "检查线缆、端口和网卡的错误计数",
  ],
  ["the numbers are the ranks from which and to which it sends", "数字为发送方和接收方的卡号"],
  [
    "send fewer and larger messages: larger buckets of gradients, a larger batch, parameters that are gathered together (a larger ZeRO bucket)",
    "减少并增大消息：更大的梯度桶、更大的批次、一起聚合的参数（更大的 ZeRO 桶）",
  ],
  [
    "look at the network of its host: the switch, the optical modules, flow control (PFC) and HCCL_RDMA_TIMEOUT",
    "检查其主机的网络：交换机、光模块、流控（PFC）和 HCCL_RDMA_TIMEOUT",
  ],
];

interface Rule {
  english: RegExp;
  chinese: string;
}

let made: readonly Rule[] | undefined;

/** The rules, the longest first: a short one may also fit what a longer one says more exactly. */
function rules(): readonly Rule[] {
  made ??= [...parts]
    .sort(([one], [other]) => other.length - one.length)
    .map(([english, chinese]) => ({
      english: new RegExp(
        `^${english.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll("{}", "(.+?)")}$`,
        "s",
      ),
      chinese,
    }));
  return made;
}

/** "AllReduce 5.5 ms in 10 calls (the longest, AllReduce_1: 0.6 ms)" within a list of them. */
function usesInChinese(list: string): string {
  return list
    .replace(/ in (\d+) calls?/g, "（$1 次）")
    .replace(/（(\d+) 次） \(the longest, (.+?): ([\d.]+ \w+)\)/g, "（$1 次，最长 $2：$3）");
}

/** The part in Chinese; undefined if no translation is known. */
function translated(part: string): string | undefined {
  for (const { english, chinese } of rules()) {
    const match = english.exec(part);
    if (match) {
      return chinese.replace(/\{(\d)\}/g, (_, place) =>
        usesInChinese(match[Number(place) + 1] ?? ""),
      );
    }
  }
  return undefined;
}

/** A sentence of a finding in Chinese, as far as its parts, which "; " divides, are known. */
export function findingInChinese(sentence: string): string {
  return sentence
    .split("; ")
    .map((part) => translated(part) ?? part)
    .join("；");
}
