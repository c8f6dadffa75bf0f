import type { PulledLayer } from '../../data/pulled-layers.ts'
import type { Pull } from '../../data/pulls.ts'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Meter } from '../../parts/meter.tsx'
import { Scroller } from '../../parts/scroller.tsx'
import { Since } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/** What a pull has done with each layer so far, and for how long it runs. */
export function PulledLayers({ of: { layers, startedAt } }: { of: Pull }) {
  const all = layers.value
  const done = all.filter(({ state }) => state === 'done' || state === 'exists')
  return (
    <>
      <p class="quiet-text">
        <Since at={startedAt} />
        {all.length > 0 && (
          <>
            {' · '}
            <span role="status">{t.images.layersDone(done.length, all.length)}</span>
          </>
        )}
      </p>
      {all.length > 0 && (
        <Scroller label={t.images.layers} isLow>
          <ul class="pulled-layers">
            {all.map((layer) => (
              <li key={layer.id}>
                <Meter label={layer.id} value={shareOf(layer)} isProgress>
                  {t.images.layerStates[layer.state]}
                  {sizesOf(layer)}
                </Meter>
              </li>
            ))}
          </ul>
        </Scroller>
      )}
    </>
  )
}

/** The share of the download or of the extraction, whichever is under way. */
function shareOf({ state, current, total }: PulledLayer): number {
  if (current !== null && total !== null && total > 0) return current / total
  return state === 'waiting' || state === 'downloading' ? 0 : 1
}

function sizesOf({ current, total }: PulledLayer): string {
  if (current === null) return ''
  if (total === null) return ` ${formatBytes(current)}`
  return ` ${t.images.ofSize(formatBytes(current), formatBytes(total))}`
}
