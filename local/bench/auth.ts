import { spawn } from 'node:child_process'
import { present } from '../../adapters/testing/present.ts'
import { boundToParent } from '../harness/bound-process.ts'
import { load } from './load.ts'
import { median, ratio, short, table } from './numbers.ts'
import { cpuSeconds } from './process.ts'
import { buildService, dataDirectory, type Service, startService } from './service.ts'

const accounts = 40
const rounds = 5
const password = 'correct horse battery'
/**
 * Number of logins of each kind whose times are compared, about 0.2 s each. Set it with
 * `--logins=1000`.
 */
const logins = Number(/--logins=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 500)

/**
 * Measures how logins slow other requests down, what their timing reveals about accounts, and what
 * authentication costs a request.
 */
export async function authBench(): Promise<string> {
  buildService()
  const data = dataDirectory()
  let service: Service | undefined
  try {
    service = await startService(data.path)
    await service.signIn()
    // The default limit would lock the accounts after these wrong passwords.
    await service.call('PUT', '/settings', { 'auth.lockout_max_attempts': 100 })
    for (let index = 0; index < accounts; index += 1) {
      const user = { username: `user-${index}`, password, role: 'viewer' }
      await service.call('POST', '/users', user)
    }
    const parts = [await costOfCaller(service), await duringLogins(service), await timing(service)]
    return parts.join('\n\n')
  } finally {
    await service?.stop()
    data.remove()
  }
}

/**
 * Measures the processor time of a public route that does no work and of one that authenticates.
 */
async function costOfCaller(service: Service): Promise<string> {
  const paths = { public: '/api/v1/docs/init.js', 'signed in': '/api/v1/me' }
  const headers = { Authorization: `Bearer ${service.token}` }
  const spent: Record<string, number[]> = { public: [], 'signed in': [] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, path] of Object.entries(paths)) {
      const before = cpuSeconds(service.pid)
      const given = name === 'public' ? {} : headers
      const { port } = service
      const { requests } = await load({ port, path, headers: given, connections: 16, seconds: 2 })
      if (round > 0)
        present(spent[name]).push(((cpuSeconds(service.pid) - before) * 1e6) / requests)
    }
  }
  const [open, signedIn] = [present(spent.public), present(spent['signed in'])]
  const rows = [
    ['`GET /docs/init.js`, public', short(median(open)), '1'],
    [
      '`GET /me`, signed in',
      short(median(signedIn)),
      ratio(median(signedIn.map((cpu, round) => cpu / present(open[round]))), 1),
    ],
  ]
  return table(['', 'CPU µs/request', 'ratio'], rows)
}

/**
 * Measures sequential `GET /me` requests: on an idle service, while another program keeps one
 * processor busy, and while forty users log in again and again, which keeps one busy with hashes.
 */
async function duringLogins(service: Service): Promise<string> {
  const quiet: number[] = []
  const beside: number[] = []
  const busy: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const before = await answerTimes(service, 1000)
    const program = spawn(...boundToParent(process.execPath, ['--eval', 'for (;;) {}']))
    const besideProgram = await answerTimes(service, 1000)
    program.kill('SIGKILL')
    let isOver = false
    let answered = 0
    const all = Array.from({ length: accounts }, async (_, index) => {
      while (!isOver) {
        await logIn(service, `user-${index}`, password)
        answered += 1
      }
    })
    // Wait until the logins are well under way.
    while (answered < accounts) await service.call('GET', '/me')
    const during = await answerTimes(service, 1000)
    isOver = true
    await Promise.all(all)
    if (round > 0) {
      quiet.push(median(before))
      beside.push(median(besideProgram))
      busy.push(median(during))
    }
  }
  const row = (name: string, times: number[]) => [
    name,
    short(median(times)),
    ratio(median(times.map((time, round) => time / present(quiet[round]))), 1),
  ]
  const rows = [
    row('nothing else runs', quiet),
    row('another program keeps one processor busy', beside),
    row('40 users log in continuously', busy),
  ]
  return table(['`GET /me` while', 'median ms', 'ratio'], rows)
}

async function answerTimes(service: Service, count: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const begin = performance.now()
    await service.call('GET', '/me')
    times.push(performance.now() - begin)
  }
  return times
}

async function logIn({ port }: Service, username: string, given: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: given }),
  })
  await response.text()
  return response.status
}

/** Times wrong passwords for existing and for unknown user names, interleaved in random order. */
async function timing(service: Service): Promise<string> {
  const known: number[] = []
  const unknown: number[] = []
  for (let index = 0; index < logins; index += 1) {
    const number = index % accounts
    // Stay below the limit of failures per name: reset the counters with a success, or use new
    // names.
    const series = Math.floor(index / (accounts * 90))
    if (index > 0 && index % (accounts * 90) === 0) await forgive(service)
    const turns = [
      { name: `user-${number}`, times: known },
      { name: `nobody-${number}-${series}`, times: unknown },
    ]
    if (Math.random() < 0.5) turns.reverse()
    for (const { name, times } of turns) {
      const begin = performance.now()
      const status = await logIn(service, name, 'a wrong password')
      times.push(performance.now() - begin)
      if (status !== 401) throw new Error(`a wrong password led to status ${status}`)
    }
  }
  const row = (name: string, times: number[]) => [
    name,
    String(times.length),
    short(mean(times)),
    short(median(times)),
  ]
  const rows = [row('existing user', known), row('unknown user', unknown)]
  const said = `Welch’s t between them, over ${accounts} accounts: ${short(welch(known, unknown))}.`
  return `${table(['a wrong password', 'logins', 'mean ms', 'median ms'], rows)}\n\n${said}`
}

async function forgive(service: Service): Promise<void> {
  for (let index = 0; index < accounts; index += 1) await logIn(service, `user-${index}`, password)
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function variance(values: number[]): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

/** Returns Welch's t: the difference of the means in standard errors. */
export function welch(one: number[], other: number[]): number {
  const error = Math.sqrt(variance(one) / one.length + variance(other) / other.length)
  return (mean(one) - mean(other)) / error
}
