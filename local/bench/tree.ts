import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tarOf } from '../../functions/core/tar/make.ts'
import { sweep } from './deploy-actors.ts'
import { engine } from './engine.ts'
import { median, ratio, short, sized, table, timed } from './numbers.ts'
import { buildService, dataDirectory, type Service, startService } from './service.ts'

const mebibyte = 1024 * 1024
const count = 1000
const bytesEach = 20 * 1024
const total = (count * bytesEach) / mebibyte
const transfers = sized(5, 1)
const deploys = sized(15, 2)

const compose = (note: number) => `# ${note}
services: {web: {image: "busybox:latest", command: sleep 3600, init: true, stop_grace_period: 1s}}
`

type Files = Map<string, Buffer>

/**
 * Compares creating and updating a stack of 1,000 files and 20 MiB with a pipe into docker cp, and
 * a deploy that writes one changed file in it with the same deploy of a stack without other files.
 */
export async function treeBench(): Promise<string> {
  buildService()
  const data = dataDirectory()
  const service = await startService(data.path)
  try {
    await service.signIn()
    await service.warm()
    const copied = await measureTransfers(service, data.path)
    return `${copied}\n\n${await measureDeploys(service)}`
  } finally {
    await service.stop()
    data.remove()
  }
}

/** The first round is warm-up. */
async function measureTransfers(service: Service, directory: string): Promise<string> {
  const times: Record<'cp' | 'create' | 'update' | 'deploy', number[]> = {
    cp: [],
    create: [],
    update: [],
    deploy: [],
  }
  for (let round = 0; round <= transfers; round++) {
    await service.signIn()
    const name = `bench-${process.pid}-tree-${round}`
    const measured = async (kind: keyof typeof times, work: () => Promise<unknown>) => {
      const time = await timed(work)
      if (round > 0) times[kind].push(time)
    }
    try {
      const sent = newFiles()
      const copy = await copyInto(join(directory, `cp-${round}`), sent)
      await measured('cp', copy.run)
      await copy.remove()
      await measured('create', async () => {
        await service.call('POST', '/stacks', { name, compose: compose(0) })
        await upload(service, name, sent)
      })
      const changed = newFiles()
      await measured('update', () => upload(service, name, changed))
      await measured('deploy', () => deploy(service, name))
    } finally {
      await sweep(name)
    }
  }
  const base = median(times.cp)
  const row = (what: string, values: number[]) => {
    const time = median(values)
    return [what, short(time), short(total / (time / 1000)), ratio(time, base)]
  }
  const how = `${count} files of ${bytesEach / 1024} KiB of random bytes, ${short(total)} MiB. Medians of ${transfers} rounds after one warm-up round. The service is sent a bundle in parts, its making included, and stores the files compressed and encrypted. An update changes all files. The deploy is the first one: it writes all files to the host and starts one container.`
  return `${how}\n\n${table(
    ['', 'ms', 'MiB/s', 'time/docker cp'],
    [
      row('`tar` to `docker cp`', times.cp),
      row('create the stack', times.create),
      row('update all files', times.update),
      row('first deploy', times.deploy),
    ],
  )}`
}

/** The two stacks take turns. The first round is warm-up. */
async function measureDeploys(service: Service): Promise<string> {
  const plain = `bench-${process.pid}-plain`
  const tree = `bench-${process.pid}-tree`
  const times: Record<'plain' | 'tree' | 'compose', number[]> = { plain: [], tree: [], compose: [] }
  await service.signIn()
  try {
    const files = newFiles()
    const [changing = ''] = [...files.keys()]
    for (const name of [plain, tree]) {
      await service.call('POST', '/stacks', { name, compose: compose(0) })
      if (name === tree) await upload(service, name, files)
      await deploy(service, name)
    }
    for (let round = 0; round <= deploys; round++) {
      await service.signIn()
      const note = { compose: compose(round + 1) }
      const changes = {
        plain: () => service.call('PUT', `/stacks/${plain}`, note),
        tree: () =>
          service.call('PUT', `/stacks/${tree}`, {
            files: { [changing]: { content: `changed ${round}` } },
          }),
        compose: () => service.call('PUT', `/stacks/${tree}`, note),
      }
      const turns = ['plain', 'tree', 'compose'] as const
      for (let turn = 0; turn < turns.length; turn++) {
        const kind = turns[(round + turn) % turns.length] ?? 'plain'
        await changes[kind]()
        const time = await timed(() => deploy(service, kind === 'plain' ? plain : tree))
        if (round > 0) times[kind].push(time)
      }
    }
  } finally {
    await Promise.all([plain, tree].map(sweep))
  }
  const base = median(times.plain)
  const row = (what: string, values: number[]) => [
    ...[what, short(median(values)), ratio(median(values), base)],
  ]
  const how = `Deploys that write one file and start nothing. Medians of ${deploys} rounds after one warm-up round; the stacks take turns.`
  return `${how}\n\n${table(
    ['', 'ms', 'time/without files'],
    [
      row('compose.yaml changed, no other files', times.plain),
      row(`compose.yaml changed, ${count} files`, times.compose),
      row(`one of ${count} files changed`, times.tree),
    ],
  )}`
}

/** Returns 1,000 files of random bytes by their paths. */
export const newFiles = (): Files =>
  new Map(
    Array.from({ length: count }, (_, at) => [
      `site/d${at % 50}/f${at}.bin`,
      randomBytes(bytesEach),
    ]),
  )

/** Sends files as one upload. */
async function upload(service: Service, name: string, files: Files): Promise<void> {
  const entries = [...files].map(([path, content]) => ({ path, content, mode: 0o644 }))
  const bundle = gzipSync(await tarOf(entries), { level: 1 })
  const uploads = `/stacks/${name}/uploads`
  const begun = await service.call('POST', uploads, { size: bundle.length })
  for (let at = 0, part = 0; at < bundle.length; at += begun.part_size, part++) {
    const data = bundle.subarray(at, at + begun.part_size).toString('base64')
    await service.call('PUT', `${uploads}/${begun.upload_id}/parts/${part}`, { data })
  }
  const sha256 = createHash('sha256').update(bundle).digest('hex')
  await service.call('POST', `${uploads}/${begun.upload_id}/complete`, { sha256 })
}

async function deploy(service: Service, name: string): Promise<void> {
  const { status, error } = await service.call('POST', `/stacks/${name}/deploy`, {})
  if (status !== 'succeeded') throw new Error(`deploying ${name}: ${error}`)
}

/** Returns the pipe that copies files through docker cp into a directory of the host. */
async function copyInto(directory: string, files: Files) {
  for (const [path, content] of files) {
    const file = join(directory, 'from', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const { Id } = await engine('POST', '/containers/create', {
    Image: 'busybox:latest',
    HostConfig: { Binds: [`${join(directory, 'to')}:/to`] },
  })
  return {
    run: async () => {
      const pipe = `tar -C ${directory}/from -cf - . | docker cp - ${Id}:/to`
      const { status, stderr } = spawnSync('sh', ['-c', pipe], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
    },
    remove: async () => {
      await engine('DELETE', `/containers/${Id}?force=true`)
      rmSync(directory, { recursive: true })
    },
  }
}
