import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { evaluateHost } from '../../functions/core/alerts/evaluate-host.ts'
import { alertRule } from '../../functions/core/alerts/rule-samples.ts'
import { sampleOf } from '../../functions/core/metrics/history.ts'
import type { AlertRule } from '../../functions/core/records/alert-rule.ts'
import type { ContainerSample } from '../../functions/core/records/container.ts'
import { quantile, short, table } from './numbers.ts'

const containers = 1000
const rules = 50
const warmUps = 5
const looks = 15
const samplesPerHour = 240

/**
 * Measures one evaluation of a host with a thousand containers and fifty rules. The Engine and the
 * store are in memory, so their time is left out. Also measures how much an hour of samples takes
 * in a store.
 */
export async function alertsBench(): Promise<string> {
  const rows = [
    ['no condition holds', ...(await measured(0))],
    ['every tenth rule holds for every tenth container', ...(await measured(10))],
    ['every rule holds for every container', ...(await measured(1))],
  ]
  return [
    `${rules} rules over ${containers} containers (processor, memory, restarts, health, down; globs on stacks and names), ${looks - warmUps} rounds, 15 s apart.`,
    table(['a round', 'median ms', 'p99 ms', 'CPU ms', 'CPU at 15 s'], rows),
    await history(),
  ].join('\n\n')
}

/**
 * Evaluates a host where one container in `oneIn` meets the condition of one rule in `oneIn`; 0
 * means none does.
 */
async function measured(oneIn: number): Promise<string[]> {
  const ports = memoryPorts()
  for (let at = 0; at < rules; at += 1) await ports.alertRules.create(ruleAt(at, oneIn))
  const samples = Array.from({ length: containers }, (_, at) => containerAt(at, oneIn))
  ports.engines.local.sample = async () => samples
  const local = present(await ports.hosts.find('local'))
  const times: number[] = []
  let cpu = 0
  for (let at = 0; at < looks; at += 1) {
    ports.clock.advance(15_000)
    const lease = present(await ports.leases.acquire('look', 'bench', 20_000))
    const [begun, used] = [performance.now(), process.cpuUsage()]
    await evaluateHost(local, lease, 15_000, ports)
    const { user, system } = process.cpuUsage(used)
    // Warm-up: the first evaluations include compilation.
    if (at < warmUps) continue
    times.push(performance.now() - begun)
    cpu += (user + system) / 1000
  }
  const each = cpu / times.length
  return [
    ...[quantile(times, 0.5), quantile(times, 0.99), each].map(short),
    `${short((each / 15_000) * 100)} %`,
  ]
}

function ruleAt(at: number, oneIn: number): AlertRule {
  const threshold = oneIn > 0 && at % oneIn === 0 ? 50 : 99
  const stacks = [`stack-${at % 10}*`, 'stack-*']
  const about = { id: `rule-${at}`, name: `rule ${at}`, forSeconds: 15, match: { stacks } }
  const state = { operator: 'eq', threshold: 1 } as const
  const kinds: Partial<AlertRule>[] = [
    { metric: 'cpu_percent', threshold },
    { metric: 'memory_percent', threshold },
    { metric: 'unhealthy', ...state },
    { metric: 'container_down', ...state },
    { metric: 'restarts', operator: 'gte', threshold: 3, forSeconds: 600 },
  ]
  return alertRule({ ...about, ...kinds[oneIn === 1 ? at % 2 : at % 5] })
}

function containerAt(at: number, oneIn: number): ContainerSample {
  const stack = `stack-${at % 40}`
  const isBusy = oneIn > 0 && at % oneIn === 0
  return {
    id: idOf(at),
    name: `${stack}-web-${at}`,
    stack,
    service: 'web',
    number: at,
    oneoff: false,
    state: 'running',
    health: 'healthy',
    exitCode: null,
    restarts: 0,
    upSeconds: 60,
    run: null,
    createdAt: '2026-01-01T00:00:00Z',
    usage: usageAt(at, isBusy ? 90 : 10),
  }
}

const idOf = (at: number) => (((at + 1) * 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').repeat(8)

const usageAt = (at: number, percent: number) => ({
  cpuPercent: percent + at / 1000,
  memory: 10_000_000 + at * 4096,
  memoryLimit: 100_000_000,
  memoryPercent: percent,
  networkRx: at * 12_345,
  networkTx: at * 6789,
  blockRead: at * 4096,
  blockWrite: at * 8192,
  pids: at % 50,
})

/** Measures what an hour of samples takes in the process and in the store. */
async function history(): Promise<string> {
  const { storedMetricHistory } = await import('../../adapters/store/metric-history.ts')
  const items: { bytes: number; pk: string }[] = []
  const sizeOf = (value: unknown) =>
    value instanceof Uint8Array ? value.length : String(value ?? '').length
  const store = {
    async put(item: Record<string, unknown>) {
      const bytes = Object.entries(item).reduce((sum, [name, value]) => {
        return sum + name.length + sizeOf(value)
      }, 0)
      items.push({ bytes, pk: String(item.pk) })
      return true
    },
  }
  const ports = memoryPorts()
  const kept = storedMetricHistory(store as never, ports.clock)
  const samples = Array.from({ length: containers }, (_, at) => containerAt(at, 10))
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < samplesPerHour; at += 1) {
    ports.clock.advance(15_000)
    await kept.add('local', sampleOf(ports.clock.now(), samples, undefined))
  }
  globalThis.gc?.()
  const held = Math.max(0, process.memoryUsage().heapUsed - before) / 2 ** 20
  const all = items.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20
  const largest = Math.max(...items.map(({ bytes }) => bytes)) / 1024
  return [
    `One hour of history takes ${short(all)} MiB in the store, in ${items.length} items of at most ${short(largest)} KiB.`,
    `The process caches none of it: its heap is ${short(held)} MiB larger after the hour, uncollected garbage included.`,
  ].join(' ')
}
