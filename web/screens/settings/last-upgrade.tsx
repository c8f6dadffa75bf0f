import type { LastUpgrade } from '../../data/service-upgrade.ts'
import { now } from '../../parts/clock.ts'
import { ImageName } from '../../parts/image-name.tsx'
import { Facts } from '../../parts/panel.tsx'
import { State, type StateName } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/** What became of the last upgrade that came to replacing the container. */
export function LastUpgradeAccount({ of }: { of: LastUpgrade }) {
  const { from_version: from, to_version: to, outcome, error, log } = of
  const unknown = t.upgrade.unknownVersion
  const keptUntil = of.kept_until
  return (
    <section class="upgrade-last">
      <h3>{t.upgrade.last}</h3>
      <Facts
        of={[
          [
            t.upgrade.outcome,
            <State key="outcome" of={outcomeStates[outcome]} word={t.upgrade.outcomes[outcome]} />,
          ],
          error !== null && [t.upgrade.reason, error],
          [t.upgrade.versions, t.upgrade.fromTo(from ?? unknown, to ?? unknown)],
          [t.upgrade.newImage, <ImageName key="image" of={of.image} />],
          [t.upgrade.when, <Time key="when" at={of.ended_at ?? of.started_at} />],
          keptUntil !== null &&
            Date.parse(keptUntil) > now.value && [
              t.upgrade.kept,
              <Time key="kept" at={keptUntil} mayBeAhead />,
            ],
        ]}
      />
      {outcome === 'stuck' && <p>{t.upgrade.stuckHelp}</p>}
      {log.length > 0 && (
        <details>
          <summary>{t.upgrade.log}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <pre class="upgrade-log" tabIndex={0}>
            {log.join('\n')}
          </pre>
        </details>
      )}
    </section>
  )
}

const outcomeStates = {
  open: 'working',
  upgraded: 'running',
  taken_back: 'failed',
  not_started: 'failed',
  stuck: 'failed',
} as const satisfies Record<LastUpgrade['outcome'], StateName>
