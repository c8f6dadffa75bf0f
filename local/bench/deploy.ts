import {
  type Actor,
  composeActor,
  composeProgram,
  floorActor,
  operations,
  serviceActor,
  sweep,
} from './deploy-actors.ts'
import { median, ratio, short, table, timed } from './numbers.ts'
import { buildService, dataDirectory, type Service, startService } from './service.ts'

/**
 * Number of services per stack → rounds. Small stacks are quick, so one disturbance weighs more and
 * they get more rounds.
 */
const sizes = { 1: 15, 5: 9, 20: 5, 100: 3 }
const kinds = ['floor', 'service', 'compose'] as const

type Times = Record<(typeof kinds)[number], Record<(typeof operations)[number], number[]>>

/**
 * Compares deploying and stopping stacks through the API, with docker compose and with a bare
 * script of the same Engine calls.
 */
export async function deployBench(): Promise<string> {
  composeProgram()
  buildService()
  const data = dataDirectory()
  const service = await startService(data.path)
  try {
    const rows: string[][] = []
    for (const [size, rounds] of Object.entries(sizes)) {
      rows.push(...rowsOf(Number(size), await measure(service, data.path, Number(size), rounds)))
    }
    return render(rows)
  } finally {
    await service.stop()
    data.remove()
  }
}

/** The first round is warm-up. The order of the three changes with each round. */
async function measure(
  service: Service,
  directory: string,
  size: number,
  rounds: number,
): Promise<Times> {
  const times = Object.fromEntries(
    kinds.map((kind) => [kind, Object.fromEntries(operations.map((name) => [name, []]))]),
  ) as unknown as Times
  const names = kinds.map((kind) => `bench-${process.pid}-${kind}-${size}`)
  const [floor = '', api = '', compose = ''] = names
  const actors = {
    floor: floorActor(floor, size),
    service: serviceActor(service, api, size),
    compose: composeActor(directory, compose, size),
  }
  try {
    for (let round = 0; round <= rounds; round++) {
      await service.signIn()
      for (let turn = 0; turn < kinds.length; turn++) {
        const kind = kinds[(round + turn) % kinds.length] ?? 'floor'
        await runThrough(actors[kind], (name, ms) => round > 0 && times[kind][name].push(ms))
      }
    }
  } finally {
    for (const name of names) await sweep(name)
  }
  return times
}

async function runThrough(
  actor: Actor,
  report: (name: (typeof operations)[number], ms: number) => void,
): Promise<void> {
  await actor.prepare()
  for (const name of operations) report(name, await timed(actor.operations[name]))
  await actor.clear()
}

function rowsOf(size: number, times: Times): string[][] {
  return operations.map((name) => {
    const [floor, service, compose] = kinds.map((kind) => median(times[kind][name])) as [
      number,
      number,
      number,
    ]
    return [
      `${name}, ${size} ${size === 1 ? 'service' : 'services'}`,
      short(floor),
      short(service),
      short(compose),
      ratio(service, floor),
      ratio(service, compose),
    ]
  })
}

function render(rows: string[][]): string {
  const head = ['ms', 'floor', 'the service', 'docker compose', 'service/floor', 'service/compose']
  const how = [
    `${Object.values(sizes).join(', ')} rounds for stacks of ${Object.keys(sizes).join(', ')} services, after one warm-up round. The three take turns; medians of wall time.`,
    'Services are `sleep` in busybox with an init, no grace period, one network and one volume.',
    'The floor is a script of the bare Engine calls, all in parallel, that reads no file and checks nothing.',
    'Plan shows a first deploy (docker compose: `--dry-run up`; the floor: the lists that a plan needs).',
    'Stop removes the containers and keeps network and volume (docker compose: `rm --stop --force`).',
  ].join(' ')
  return `${how}\n\n${table(head, rows)}`
}
