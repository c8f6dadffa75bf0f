import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of a second in which Linux counts processor time: `getconf CLK_TCK`. */
const ticks = 100

/**
 * What a process is in a run of the tests.
 *
 * @typedef {typeof kinds[number]['kind'] | 'other'} Kind
 */

/** The first match decides. */
const kinds = /** @type {const} */ ([
  { kind: 'test workers', words: /\bvitest\b/ },
  { kind: 'services', words: /\/(?:service|restore|compose-worker|store|transfer)\.js\b/ },
  { kind: 'agents', words: /\/agent\.js\b/ },
  { kind: 'clients', words: /\/cli(?:\.js)?\b/ },
  { kind: 'store', words: /DynamoDBLocal/ },
  { kind: 'browsers', words: /chromium|firefox/ },
  { kind: 'Engine', words: /^\S*(?:dockerd|docker-proxy|containerd\S*|runc|docker-init)\b/ },
  { kind: 'docker client', words: /^\S*docker(?:-compose)?\b/ },
  { kind: 'other Node programs', words: /^\S*node\b/ },
])

/**
 * Returns what a process is, by its command line with spaces.
 *
 * @param {string} line
 * @returns {Kind}
 */
export const kindOf = (line) => kinds.find(({ words }) => words.test(line))?.kind ?? 'other'

/**
 * Returns the seconds of processor time that this process used, with those of its children that
 * have ended and of their children. 0 without Linux.
 */
export const secondsUsed = () =>
  statOf('self')?.times.reduce((sum, seconds) => sum + seconds, 0) ?? 0

/**
 * Returns when a process began, which tells it from an earlier one with its number, and its times.
 *
 * @param {number | 'self'} pid
 */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the parenthesis may have spaces.
    const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { begin: words[19], times: words.slice(11, 15).map((word) => Number(word) / ticks) }
  } catch {
    return undefined
  }
}

/**
 * Counts the processor time of everything on this machine by kind of process, from a look each
 * second. What begins and ends between two looks is not counted.
 */
export class ProcessorTime {
  /** @type {Map<string, { kind: Kind, first: number, own: number }>} */
  #seen = new Map()
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  start() {
    this.#look(true)
    this.#timer = setInterval(() => this.#look(), 1000)
    this.#timer.unref()
  }

  /** Returns the seconds of each kind since the start, rounded. */
  stop() {
    clearInterval(this.#timer)
    this.#look()
    /** @type {Record<string, number>} */
    const sums = {}
    for (const { kind, first, own } of this.#seen.values())
      sums[kind] = (sums[kind] ?? 0) + own - first
    return Object.fromEntries(
      Object.entries(sums).map(([kind, seconds]) => [kind, Math.round(seconds)]),
    )
  }

  #look(isFirst = false) {
    for (const name of processNames()) {
      const pid = Number(name)
      const stat = statOf(pid)
      if (!stat) continue
      const [user = 0, system = 0] = stat.times
      const own = user + system
      const key = `${name} ${stat.begin}`
      const known = this.#seen.get(key)
      if (known) known.own = own
      // A program is known by its command line a moment after the fork.
      if (!known || known.kind === 'other') {
        const kind = kindOf(commandLine(pid))
        this.#seen.set(key, { kind, first: known?.first ?? (isFirst ? own : 0), own })
      }
    }
  }
}

function processNames() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** @param {number} pid */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
