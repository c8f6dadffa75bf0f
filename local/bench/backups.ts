import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { median, ratio, short, sized, table, timed } from './numbers.ts'
import { residentMebibytes } from './process.ts'
import { buildService, dataDirectory, type Service, startService } from './service.ts'

const megabyte = 1_000_000
const size = sized(2000, 100) * megabyte
const rounds = 3
const volume = `container-stacks-bench-${process.pid}`

interface Sample {
  /** Megabytes of files a second. */
  speed: number
  /** MiB of resident memory above what the process had before. */
  grown: number
}

/** Speed and memory of a backup of a volume, plain and encrypted, beside `docker run … tar | zstd` in turn with it. */
export async function backupsBench(): Promise<string> {
  buildService()
  const data = dataDirectory()
  let service: Service | undefined
  try {
    makeVolume()
    service = await startService(data.path)
    await service.signIn()
    const jobs = {
      plain: await newJob(service, 'plain', false),
      encrypted: await newJob(service, 'encrypted', true),
    }
    await pause(2000)
    const before = residentMebibytes(service.pid)
    const samples = { piped: [] as Sample[], plain: [] as Sample[], encrypted: [] as Sample[] }
    for (let round = 0; round < rounds; round++) {
      samples.piped.push({ speed: await piped(data.path), grown: 0 })
      for (const kind of ['plain', 'encrypted'] as const) {
        samples[kind].push(await backedUp(service, jobs[kind], before))
        rmSync(join(data.path, 'backups', kind), { recursive: true })
      }
    }
    return shown(samples)
  } finally {
    await service?.stop()
    execFileSync('docker', ['volume', 'rm', '-f', volume], { stdio: 'ignore' })
    data.remove()
  }
}

/** Half of it does not compress, half of it does well. */
function makeVolume(): void {
  const count = Math.round(size / 2 / megabyte)
  const noise = `dd if=/dev/urandom of=/data/noise bs=1000000 count=${count}`
  const lines = `yes "2026-11-21T10:00:00Z GET /orders 200 12ms" | head -c ${size / 2} > /data/lines`
  const words = [
    'run',
    '--rm',
    '-v',
    `${volume}:/data`,
    'busybox',
    'sh',
    '-c',
    `${noise}; ${lines}`,
  ]
  execFileSync('docker', words, { stdio: 'ignore' })
}

/** What people do without us, with the same level of compression. */
async function piped(directory: string): Promise<number> {
  mkdirSync(join(directory, 'backups'), { recursive: true })
  const file = join(directory, 'backups', 'piped.tar.zst')
  const read = `docker run --rm -v ${volume}:/data:ro busybox tar cf - /data`
  const milliseconds = await timed(async () => {
    execFileSync('sh', ['-c', `${read} 2> /dev/null | zstd -q -3 -o ${file} && sync ${file}`])
  })
  rmSync(file)
  return size / megabyte / (milliseconds / 1000)
}

async function newJob(service: Service, name: string, encrypt: boolean): Promise<string> {
  const sources = [{ kind: 'volume', name: volume }]
  const target = { kind: 'local', path: '' }
  const made = await service.call('POST', '/backup-jobs', { name, sources, target, encrypt })
  return made.id
}

async function backedUp(service: Service, job: string, before: number): Promise<Sample> {
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, residentMebibytes(service.pid))
  }, 20)
  try {
    let run = await service.call('POST', `/backup-jobs/${job}/run`)
    while (run.status === 'running') {
      await pause(20)
      run = await service.call('GET', `/backup-runs/${run.id}`)
    }
    if (run.status !== 'succeeded') throw new Error(run.error)
    const milliseconds = Date.parse(run.finished_at) - Date.parse(run.started_at)
    return { speed: size / megabyte / (milliseconds / 1000), grown: most - before }
  } finally {
    clearInterval(watch)
  }
}

function shown(samples: Record<'piped' | 'plain' | 'encrypted', Sample[]>): string {
  const names = {
    piped: '`docker run … tar \\| zstd`',
    plain: 'backup',
    encrypted: 'backup, encrypted',
  }
  const speedOf = (list: Sample[]) => median(list.map(({ speed }) => speed))
  const base = speedOf(samples.piped)
  const rows = Object.entries(samples).map(([kind, list]) => [
    names[kind as keyof typeof names],
    short(speedOf(list)),
    ratio(speedOf(list), base),
    kind === 'piped' ? '–' : short(Math.max(...list.map(({ grown }) => grown))),
  ])
  const how = `A volume of ${size / megabyte} MB, half of which compresses, to a directory; the middle of ${rounds} rounds, taken in turn. Memory is the largest of all rounds above what the idle service had.`
  return `${how}\n\n${table(['', 'MB/s', 'of it', '+MiB'], rows)}`
}
