import type { Update } from '../api/types.ts'
import { clean, cut } from './text.ts'
import { moment, uptime } from './units.ts'

/** The states in the order in which they are shown. */
export const updateStates = ['newer', 'unknown', 'current', 'not_checked'] as const

const day = 86_400_000
/** More reasons are not shown in one line, and longer ones are cut. */
const reasonsMax = 3
const reasonMax = 90

/** Returns the state of a service in words. */
export const stateText = ({ state }: Pick<Update, 'state'>): string => state.replace('_', ' ')

/** Sorts newer images first, then by stack and service. */
export const sorted = (updates: readonly Update[]): Update[] =>
  [...updates].sort(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      compare(one.stack, other.stack) ||
      compare(one.service, other.service),
  )

const rankOf = ({ state }: Update) => updateStates.indexOf(state)
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Returns what else is known: until when and why a state is unknown, the page of the source of a
 * newer image, the time of the next look, tags of newer versions. `now` is in milliseconds since
 * the epoch.
 */
export const updateDetail = (update: Update, now: number): string | undefined =>
  joined('; ', stateDetail(update, now), newerTags(update))

/**
 * Returns what happens next with a newer image: `by hand: …`, `in 41 h, 03:00Z`, `now`. `now` is in
 * milliseconds since the epoch.
 */
export function nextText({ next }: Pick<Update, 'next'>, now: number): string | undefined {
  const { kind, at, reason } = next
  switch (kind) {
    case 'none':
      return undefined
    case 'by_hand':
      return joined(': ', 'by hand', reason)
    case 'planned':
      return joined(', ', at && aheadText(at, now), at && soonText(at, now))
    case 'due':
      return joined(': ', reason ? 'waits' : 'now', reason)
    case 'watched':
      return 'applied, being watched'
  }
}

function stateDetail(update: Update, now: number): string | undefined {
  const { state, reason, source_url, next_check_at: next } = update
  const until = next === null ? undefined : `until ${soonText(next, now)}`
  switch (state) {
    case 'newer':
      return joined('; ', source_url, reason && `the last look failed: ${reason}`)
    case 'unknown':
      return joined(': ', until, reason)
    case 'current':
      return next === null ? undefined : `next look ${soonText(next, now)}`
    case 'not_checked':
      return reason ?? undefined
  }
}

function newerTags({ newer_tags: tags }: Pick<Update, 'newer_tags'>): string | undefined {
  if (tags.length === 0) return undefined
  const versions = tags.map(({ tag, change }) => `${tag} (${change})`).join(', ')
  const [place] = tags[0]?.lines ?? []
  return `newer versions: ${versions}${place ? `, in ${place.file}:${place.line}` : ''}`
}

const joined = (separator: string, ...parts: readonly (string | null | undefined)[]) =>
  parts.filter(Boolean).join(separator) || undefined

/** A time that has passed by the clock of this machine says nothing of how far ahead it is. */
function aheadText(time: string, now: number): string | undefined {
  const ahead = Date.parse(time) - now
  return ahead > 0 ? `in ${uptime(ahead)}` : undefined
}

/** Formats an RFC 3339 time of the next 24 hours as `14:05Z`, any other with its date. */
function soonText(time: string, now: number): string {
  const ahead = Date.parse(time) - now
  const text = moment(time) ?? time
  return ahead >= 0 && ahead < day ? text.replace(/^\S+ (\d+:\d+):\d+Z$/, '$1Z') : text
}

/**
 * Returns how many services are in each state, and why where there are reasons:
 * `12 current, 2 not checked (the stack builds this image: 2)`.
 */
export const countsText = (updates: readonly Update[]): string =>
  updateStates
    .flatMap((state) => {
      const those = updates.filter((one) => one.state === state)
      const [first] = those
      if (!first) return []
      const reasons = state === 'newer' ? '' : reasonsText(those)
      return `${those.length} ${stateText(first)}${reasons && ` (${reasons})`}`
    })
    .join(', ')

/** Returns the most frequent reasons with their numbers, escaped. */
function reasonsText(updates: readonly Update[]): string {
  const counts = new Map<string, number>()
  for (const { reason } of updates) {
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const all = [...counts].sort(([, one], [, other]) => other - one)
  const shown = all
    .slice(0, reasonsMax)
    .map(([reason, count]) => `${cut(clean(reason), reasonMax)}: ${count}`)
  const others = all.slice(reasonsMax).reduce((sum, [, count]) => sum + count, 0)
  return [...shown, ...(others > 0 ? [`other reasons: ${others}`] : [])].join('; ')
}
