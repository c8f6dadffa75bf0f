import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { median, ratio, short, sized, table, timed } from './numbers.ts'
import { residentMebibytes } from './process.ts'
import { buildService, dataDirectory, type Service, startService } from './service.ts'

const run = promisify(execFile)

const megabyte = 1_000_000
const size = sized(2000, 100)
const largeSize = sized(10_000, 200)
const rounds = 2
const volume = `container-stacks-bench-${process.pid}`

const kinds = ['piped', 'plain', 'encrypted'] as const
const works = ['backup', 'restore'] as const

interface Sample {
  /** Megabytes of files per second. */
  speed: number
  /** MiB of resident memory above the process's memory before the run. */
  grown: number
}

type Samples = Record<(typeof kinds)[number], Record<(typeof works)[number], Sample[]>>

/**
 * Measures the speed and memory of backups and restores of a volume, plain and encrypted. Compares
 * them, in alternating rounds, with the fastest form of `docker run … tar | zstd`. Measures memory
 * once more with a volume five times as large.
 */
export async function backupsBench(): Promise<string> {
  buildService()
  const data = dataDirectory()
  let service: Service | undefined
  try {
    await makeVolume(size)
    service = await startService(data.path)
    await service.signIn()
    const jobs = {
      plain: await newJob(service, 'plain', false),
      encrypted: await newJob(service, 'encrypted', true),
    }
    await pause(2000)
    const before = residentMebibytes(service.pid)
    const samples: Samples = {
      piped: { backup: [], restore: [] },
      plain: { backup: [], restore: [] },
      encrypted: { backup: [], restore: [] },
    }
    const logged = await backupByPipe(join(data.path, 'backups'), '')
    for (let round = 0; round < rounds; round++) {
      const piped = await throughPipe(join(data.path, 'backups'))
      for (const work of works) samples.piped[work].push({ speed: piped[work], grown: 0 })
      for (const kind of ['plain', 'encrypted'] as const) {
        await service.signIn()
        const { backup, restore } = await throughService(service, jobs[kind], before)
        samples[kind].backup.push(backup)
        samples[kind].restore.push(restore)
        rmSync(join(data.path, 'backups', kind), { recursive: true })
      }
    }
    await removeVolume()
    await makeVolume(largeSize)
    await service.signIn()
    const large = await throughService(service, jobs.encrypted, before, largeSize)
    return shown(samples, large, logged)
  } finally {
    await service?.stop()
    await removeVolume()
    data.remove()
  }
}

/** Fills the volume: one half does not compress, the other compresses well. */
async function makeVolume(megabytes: number): Promise<void> {
  const noise = `dd if=/dev/urandom of=/data/noise bs=1000000 count=${megabytes / 2}`
  const text = `yes "2026-11-21T10:00:00Z GET /orders 200 12ms"`
  const script = `${noise}; ${text} | head -c ${(megabytes / 2) * megabyte} > /data/lines; sync`
  const words = ['run', '--rm', '-v', `${volume}:/data`, 'busybox', 'sh', '-c', script]
  await run('docker', words)
}

const removeVolume = () => run('docker', ['volume', 'rm', '-f', volume])

/** Measures the usual alternative with the same compression level, in megabytes per second. */
async function throughPipe(directory: string): Promise<Record<(typeof works)[number], number>> {
  const backup = await backupByPipe(directory, '--log-driver none')
  await removeVolume()
  const file = pipedFile(directory)
  const restore = await shell(`zstd -q -d -c ${file} | docker run --rm -i ${mounted} xf - -C /`)
  rmSync(file)
  return { backup, restore }
}

/**
 * Returns megabytes per second. With the default log driver the Engine writes everything that a
 * container prints to a log, which is ten times slower.
 */
async function backupByPipe(directory: string, option: string): Promise<number> {
  mkdirSync(directory, { recursive: true })
  const file = pipedFile(directory)
  const tar = `docker run ${option} --rm ${mounted} cf - /data 2> /dev/null`
  return shell(`${tar} | zstd -q -f -3 -o ${file} && sync ${file}`)
}

const mounted = `-v ${volume}:/data busybox tar`
const pipedFile = (directory: string) => join(directory, 'piped.tar.zst')

/** Runs a script that moves the volume's content. Returns megabytes per second. */
const shell = async (script: string) =>
  size / ((await timed(() => run('sh', ['-c', script]))) / 1000)

async function newJob(service: Service, name: string, encrypt: boolean): Promise<string> {
  const sources = [{ kind: 'volume', name: volume }]
  const target = { kind: 'local', path: '' }
  const made = await service.call('POST', '/backup-jobs', { name, sources, target, encrypt })
  return made.id
}

/** Backs up the volume, removes it and restores it. */
async function throughService(service: Service, job: string, before: number, megabytes = size) {
  const backup = await sampled(service, `/backup-jobs/${job}/run`, before, megabytes)
  await removeVolume()
  const restore = await sampled(service, `/backup-runs/${backup.id}/restore`, before, megabytes)
  return { backup, restore }
}

async function sampled(service: Service, path: string, before: number, megabytes: number) {
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, residentMebibytes(service.pid))
  }, 20)
  try {
    let found = await service.call('POST', path)
    while (found.status === 'running') {
      // Each poll is a full request. Frequent ones would take a fifth of the machine's processor
      // time.
      await pause(500)
      found = await service.call('GET', `/backup-runs/${found.id}`)
    }
    if (found.status !== 'succeeded') throw new Error(found.error)
    const seconds = (Date.parse(found.finished_at) - Date.parse(found.started_at)) / 1000
    return { id: found.id as string, speed: megabytes / seconds, grown: most - before }
  } finally {
    clearInterval(watch)
  }
}

function shown(
  samples: Samples,
  large: Record<(typeof works)[number], Sample>,
  logged: number,
): string {
  const names = {
    piped: 'a pipe of `docker run --log-driver none`, `tar` and `zstd`',
    plain: 'the service',
    encrypted: 'the service, encrypted',
  }
  const speedOf = (list: Sample[]) => median(list.map(({ speed }) => speed))
  const rows = works.flatMap((work) =>
    kinds.map((kind) => {
      const list = samples[kind][work]
      return [
        `${work}, ${names[kind]}`,
        short(speedOf(list)),
        ratio(speedOf(list), speedOf(samples.piped[work])),
        kind === 'piped' ? '–' : short(Math.max(...list.map(({ grown }) => grown))),
      ]
    }),
  )
  const plainPipe = [
    'backup, the pipe without `--log-driver none`',
    short(logged),
    ratio(logged, speedOf(samples.piped.backup)),
    '–',
  ]
  const largest = works.map((work) => [
    `${work} of ${largeSize} MB, encrypted`,
    short(large[work].speed),
    '–',
    short(large[work].grown),
  ])
  const how = `A volume of ${size} MB, half of which compresses, to a directory and back; the better of ${rounds} rounds, which take turns. Memory is the peak of all rounds above the idle service.`
  return `${how}\n\n${table(['', 'MB/s', 'ratio to the pipe', '+MiB'], [plainPipe, ...rows, ...largest])}`
}
