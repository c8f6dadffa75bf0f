import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { must } from '../../functions/compose/must.ts'
import { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import { type Commit, parseCommit } from './commit.ts'
import { isLocal, objectsMax, tooSlow, unwritable } from './failures.ts'
import { type GitLimits, type GitRun, outputOf, type RunningGit, startGit } from './run-git.ts'

/** An entry of a commit: a file, a link, a folder or a submodule. */
export interface TreeEntry {
  /** As git writes it, such as `100644`. */
  mode: string
  id: string
  path: string
}

export const modes = { folder: '040000', submodule: '160000', link: '120000' } as const

/** Bytes of address space: git maps its packs and its libraries too. */
const memory = 768 * 1024 ** 2
/** Bytes that one list may have. */
const listMax = 32 * 1024 ** 2

/** What a run of git in a repository may use. */
export interface LocalLimits {
  /** Bytes of the largest file that it writes. */
  file: number
  /** Milliseconds. */
  time: number
}

/** A run of git that opens no connection. */
export interface LocalRun extends RunningGit {
  /** Returns why it was stopped, or undefined. */
  failure(): unknown
}

/** Reads objects of a bare repository. Nothing that it does opens a connection. */
export class Repository {
  readonly path: string
  readonly #signal: AbortSignal
  readonly limits: GitLimits
  /** A directory that is empty. */
  readonly noAuthorities: string
  readonly #time: number

  constructor(path: string, { file, time }: LocalLimits, signal: AbortSignal) {
    this.path = path
    this.noAuthorities = join(path, 'no-authorities')
    this.#time = time
    this.#signal = signal
    this.limits = { memory, file }
  }

  /**
   * Creates it in a directory that exists.
   *
   * @throws SourceFailure if the disk has no space for it
   */
  async create(): Promise<void> {
    // First, as git may be killed: a repository that looks finished is not created again.
    await mkdir(this.noAuthorities, { recursive: true })
    const words = ['init', '--quiet', '--bare', '--template=', '--object-format=sha1']
    const { code, stderr } = await this.#output(words, 1024)
    if (code === 0) return
    throw isLocal(stderr) ? unwritable(stderr) : new Error(`git init failed: ${stderr}`)
  }

  /**
   * Returns a commit, or undefined if the repository does not have it.
   *
   * @throws SourceFailure `malformed` if the ID is not that of a commit
   */
  async commit(id: string): Promise<Commit | undefined> {
    const { stdout } = await this.#output(['cat-file', '--batch'], 1024 ** 2, `${id}\n`)
    const line = stdout.indexOf('\n')
    const [, type] = stdout.subarray(0, Math.max(line, 0)).toString('latin1').split(' ')
    if (type === undefined || type === 'missing') return undefined
    const commit = type === 'commit' ? parseCommit(stdout.subarray(line + 1)) : undefined
    if (!commit) throw new SourceFailure('malformed', `${id} is not the ID of a commit`)
    return commit
  }

  /**
   * Returns all entries below a tree, folders first, or undefined if some are missing.
   *
   * @throws SourceFailure `too-large` if there are more than 100,000
   */
  async entries(tree: string): Promise<TreeEntry[] | undefined> {
    const words = ['ls-tree', '-r', '-t', '-z', '--full-tree', '--end-of-options', tree]
    const git = this.#start(words)
    git.stdin.end()
    const entries: TreeEntry[] = []
    let bytes = 0
    for await (const line of splitAtNul(git.stdout)) {
      bytes += line.length
      if (entries.length === objectsMax || bytes > listMax) {
        git.kill()
        throw new SourceFailure(
          'too-large',
          `the repository has more than ${objectsMax} files and folders: use a smaller one`,
        )
      }
      entries.push(parseEntry(line))
    }
    const { code } = await git.ended
    const failure = git.failure()
    if (failure) throw failure
    return code === 0 ? entries : undefined
  }

  /** Returns the sizes in bytes of blobs, without those that the repository does not have. */
  async sizes(ids: readonly string[]): Promise<Map<string, number>> {
    const input = ids.map((id) => `${id}\n`).join('')
    const { stdout } = await this.#output(['cat-file', '--batch-check'], listMax, input)
    const lines = stdout.toString('latin1').split('\n')
    const found = lines.map((line) => line.split(' ')).filter(([, type]) => type === 'blob')
    return new Map(found.map(([id = '', , size]) => [id, Number(size)]))
  }

  /** Starts a run that writes the content of each object whose ID it reads. */
  contents(): LocalRun {
    return this.#start(['cat-file', '--batch'])
  }

  #start(words: readonly string[]): LocalRun {
    const run = this.#run(words)
    return { ...startGit(run), failure: () => this.#failure(run) }
  }

  async #output(words: readonly string[], most: number, input = '') {
    const run = this.#run(words)
    const end = await outputOf({ ...run, input }, most)
    const failure = this.#failure(run)
    if (failure) throw failure
    return end
  }

  #run(words: readonly string[]): GitRun {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(this.#time)])
    return { repository: this.path, words, limits: this.limits, signal }
  }

  #failure({ signal }: GitRun): unknown {
    if (this.#signal.aborted) return this.#signal.reason
    return signal.aborted ? tooSlow(this.#time) : undefined
  }
}

/** Bytes of one entry: a path of 4096, and what stands before it. */
const entryMax = 8192

async function* splitAtNul(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of source) {
    let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0)) {
      yield data.subarray(0, end)
      data = data.subarray(end + 1)
    }
    if (data.length > entryMax) {
      throw new SourceFailure('malformed', 'the repository has a path that is too long')
    }
    rest = Buffer.from(data)
  }
}

/** Bytes that are not UTF-8 become replacement characters, which no path may have. */
function parseEntry(line: Buffer): TreeEntry {
  const [, mode, id, path] = /^(\d{6}) \w+ ([0-9a-f]{40})\t(.+)$/s.exec(line.toString('utf8')) ?? []
  return { mode: must(mode, 'mode'), id: must(id, 'ID'), path: must(path, 'path') }
}
