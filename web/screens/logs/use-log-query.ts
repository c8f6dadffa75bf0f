import { useQuery } from '../../frame/address.ts'
import { type Level, levelNames } from './log-levels.ts'
import type { RangeWords } from './log-range.ts'

/** What the address says of a log: what is searched, which lines are shown, and of which time. */
export function useLogQuery() {
  const [text, setText] = useQuery('find')
  const [kind, setKind] = useQuery('as')
  const [only, setOnly] = useQuery('only')
  const [level, setLevel] = useQuery('level')
  const [last, setLast] = useQuery('last')
  const [from, setFrom] = useQuery('from')
  const [to, setTo] = useQuery('to')
  const words = level.split(',')
  const levels = levelNames.filter((one) => words.includes(one))
  return {
    text,
    setText,
    kind,
    setKind,
    isOnlyMatches: only === 'matches',
    setOnlyMatches: (isOn: boolean) => setOnly(isOn ? 'matches' : ''),
    levels,
    setLevels: (next: readonly Level[]) => setLevel(next.join(',')),
    range: { last, from, to } satisfies RangeWords,
    setRange: (next: RangeWords) => {
      setLast(next.last)
      setFrom(next.from)
      setTo(next.to)
    },
    /** Shows the lines that are hidden. */
    showAll: () => {
      setOnly('')
      setLevel('')
    },
  }
}
