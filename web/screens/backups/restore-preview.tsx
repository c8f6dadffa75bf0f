import { Button } from '../../parts/button.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import type { Effect } from './restore-plan.ts'
import { RunWarnings } from './run-warnings.tsx'

interface RestorePreviewProps {
  effects: readonly Effect[]
  /** Those of the backup: what it does not contain does not come back. */
  warnings: readonly string[]
  onBack: () => void
}

/** What a restore replaces and what it creates, before it begins. */
export function RestorePreview({ effects, warnings, onBack }: RestorePreviewProps) {
  return (
    <>
      <p class="wizard-step">{t.backups.step(2)}</p>
      <ul class="replaced-list">
        {effects.map(({ kind, name, replaces, isReplaced }) => (
          <li key={`${kind} ${name}`}>
            <State
              of={isReplaced ? 'attention' : 'running'}
              word={
                isReplaced
                  ? t.backups.replaces(
                      kind === 'stack' ? t.backups.stack(name) : t.backups.volume(name),
                    )
                  : t.backups.creates(
                      kind === 'stack' ? t.backups.stack(name) : t.backups.volume(name),
                    )
              }
            />
            {isReplaced && (
              <span class="quiet-text">
                {kind === 'stack' ? t.backups.stackLost(replaces.join(', ')) : t.backups.volumeLost}
              </span>
            )}
          </li>
        ))}
      </ul>
      <RunWarnings of={warnings} />
      <p class="quiet-text">{t.backups.restoreSafe}</p>
      <div>
        <Button kind="quiet" onClick={onBack}>
          {t.backups.back}
        </Button>
      </div>
    </>
  )
}
