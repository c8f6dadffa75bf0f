import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { hookPause } from '../../functions/core/hooks/hook-record.ts'
import { environment } from '../harness/git/repository-in.ts'
import { median, ratio, short, sized, table, timed } from './numbers.ts'
import { dataDirectory, type Service, startService } from './service.ts'
import { bindStack, type Forge, makeSource, mayAskForge, startForge } from './source-forge.ts'
import { newFiles } from './tree.ts'

const rounds = sized(9, 1)
const folder = 'apps/shop'
const compose = 'services: {web: {image: "busybox:latest", command: sleep 3600}}\n'
/** Milliseconds after which a sync that was asked for must have ended. */
const longest = 300_000
const run = promisify(execFile)

const kinds = ['clone', 'first', 'changed', 'look'] as const
type Times = Record<(typeof kinds)[number], number[]>

/**
 * Compares syncs of a folder of 1,000 files with a shallow clone of the same repository and an
 * archive of it. Each round has a repository, a source and a stack of its own, so that neither the
 * copy of the repository nor the stored files are there before.
 */
export async function sourceTimes(): Promise<string> {
  const data = dataDirectory()
  let forge: Forge | undefined
  let service: Service | undefined
  try {
    forge = await startForge()
    service = await startService(data.path, mayAskForge)
    await service.signIn()
    await service.warm()
    const times: Times = { clone: [], first: [], changed: [], look: [] }
    for (let round = 0; round <= rounds; round += 1) {
      const took = await timesOf(service, forge, round)
      // The first round is warm-up.
      if (round > 0) for (const kind of kinds) times[kind].push(took[kind])
    }
    return render(times)
  } finally {
    await service?.stop()
    forge?.close()
    data.remove()
  }
}

/** Returns the milliseconds of one round. Clone and sync take turns in being first. */
async function timesOf(service: Service, forge: Forge, round: number) {
  await service.signIn()
  const name = `round-${round}`
  const random = newFiles()
  const files = Object.fromEntries(
    [...random].map(([path, content]) => [`${folder}/${path}`, content] as const),
  )
  files[`${folder}/compose.yaml`] = Buffer.from(compose)
  const repository = forge.make(name)
  const first = repository.commit(files)
  await makeSource(service, forge, { name, repository: name, lookEvery: null })
  await service.call('POST', '/stacks', { name, compose })
  await bindStack(service, { stack: name, source: name, path: folder })
  const took = { clone: 0, first: 0, changed: 0, look: 0 }
  const turns = [
    async () => {
      took.clone = await timeOfClone(forge, name)
    },
    async () => {
      took.first = await timed(() => sync(service, name, first))
    },
  ]
  if (round % 2 === 1) turns.reverse()
  for (const turn of turns) await turn()
  const [changed = ''] = random.keys()
  files[`${folder}/${changed}`] = Buffer.from(`changed in round ${round}`)
  const second = repository.commit(files)
  // A sync that follows sooner waits for this time.
  await pause(hookPause + 500)
  took.changed = await timed(() => sync(service, name, second))
  took.look = await timed(() => look(service, name, second))
  return took
}

/** Clones the repository and archives its files. */
async function timeOfClone(forge: Forge, name: string): Promise<number> {
  const directory = join(forge.root, `${name}-clone`)
  const [work, authority] = [join(directory, 'work'), join(directory, 'authority.pem')]
  mkdirSync(directory)
  writeFileSync(authority, forge.certificateAuthority)
  const options = { env: environment(directory) }
  const clone = ['clone', '--quiet', '--depth=1', forge.urlOf(name), work]
  const archive = ['-C', work, '--exclude=./.git', '-cf', join(directory, 'files.tar'), '.']
  try {
    // The server of the repository runs in this process, so nothing may block it.
    return await timed(async () => {
      await run('git', ['-c', `http.sslCAInfo=${authority}`, ...clone], options)
      await run('tar', archive, options)
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Looks at the source and takes what it has. Resolves once the stack has the commit. */
async function sync({ call }: Service, name: string, commit: string): Promise<void> {
  const end = Date.now() + longest
  let bound = await call('POST', `/stacks/${name}/source/sync`)
  while (bound.is_waiting || bound.synced?.revision !== commit) {
    if (bound.last_error) throw new Error(`syncing ${name}: ${bound.last_error.message}`)
    if (Date.now() > end) throw new Error(`syncing ${name} did not end`)
    // A run of the schedule may be taking the same commit.
    await pause(20)
    bound = await call('GET', `/stacks/${name}/source`)
  }
}

async function look({ call }: Service, name: string, commit: string): Promise<void> {
  const { revision, last_error: error } = await call('POST', `/sources/${name}/look`)
  if (error || revision !== commit) throw new Error(`looking at ${name}: ${error?.message}`)
}

function render(times: Times): string {
  const base = median(times.clone)
  const row = (what: string, values: number[]) => {
    const time = median(values)
    return [what, short(time), ratio(time, base)]
  }
  const how = `A folder of 1000 files of 20 KiB of random bytes and a compose file, 19.5 MiB, in a git repository that git’s own server has over https. Medians of ${rounds} rounds after one warm-up round. Each round has a repository of its own. A sync looks at the source, reads the folder and stores it compressed and encrypted as the newest revision of a stack. Nothing is deployed. The aim of the first sync is 1.50× of the clone.`
  return `${how}\n\n${table(
    ['', 'ms', 'time/clone'],
    [
      row('`git clone --depth 1` and `tar`', times.clone),
      row('first sync', times.first),
      row('sync after one changed file', times.changed),
      row('look that finds nothing new', times.look),
    ],
  )}`
}
