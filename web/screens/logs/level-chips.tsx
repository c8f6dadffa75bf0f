import './level-chips.css'
import { numberFormat } from '../../parts/formats.ts'
import { t } from '../../text/text.ts'
import { levelNames } from './log-levels.ts'
import type { LogModel } from './log-model.ts'
import { useLogQuery } from './use-log-query.ts'

/** The levels of the lines on the page with their counts, to show only some of them. */
export function LevelChips({ model }: { model: LogModel }) {
  const { levels, setLevels } = useLogQuery()
  const counts = model.filter.counts.value
  const known = levelNames.filter((level) => counts[level] > 0 || levels.includes(level))
  if (known.length === 0) return null
  return (
    <fieldset class="level-chips" aria-label={t.logs.levels}>
      {known.map((level) => {
        const isChosen = levels.includes(level)
        const others = levels.filter((one) => one !== level)
        return (
          <button
            key={level}
            type="button"
            class={`level-chip ${level}`}
            aria-pressed={isChosen}
            title={t.logs.onlyLevel(t.logs.level[level])}
            onClick={() => setLevels(isChosen ? others : [...levels, level])}
          >
            {t.logs.level[level]}{' '}
            <span class="level-count">{numberFormat(0).format(counts[level])}</span>
          </button>
        )
      })}
    </fieldset>
  )
}
