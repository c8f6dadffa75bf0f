import { CodeField } from '../../parts/code-field.tsx'
import { TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'
import type { JobDraftProps } from './job-draft.ts'

/** The commands that run in containers before and after their data is read. */
export function HookFields({ draft, set }: Omit<JobDraftProps, 'isKnown'>) {
  const isUsed = draft.before.service !== '' || draft.after.service !== ''
  return (
    <details open={isUsed}>
      <summary>{t.backups.hooks}</summary>
      <div class="form-dialog">
        {(['before', 'after'] as const).map((when) => {
          const hook = draft[when]
          return (
            <fieldset key={when} class="choices">
              <legend>{t.backups.hookTimes[when]}</legend>
              <TextField
                label={t.backups.hookService}
                help={t.backups.hookServiceHelp}
                value={hook.service}
                onInput={(service) => set({ [when]: { ...hook, service } })}
                autocomplete="off"
                isCode
                isOptional
              />
              {hook.service !== '' && (
                <CodeField
                  label={t.backups.hookCommand}
                  help={t.backups.hookCommandHelp}
                  rows={3}
                  value={hook.command}
                  marks={[]}
                  onInput={(command) => set({ [when]: { ...hook, command } })}
                />
              )}
            </fieldset>
          )
        })}
      </div>
    </details>
  )
}
