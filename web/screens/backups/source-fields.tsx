import { useResource } from '../../data/cache.ts'
import { type HostId, localHostId } from '../../data/host-ids.ts'
import { splitHosts } from '../../data/host-lists.ts'
import { can } from '../../data/session.ts'
import { stacksOn } from '../../data/stacks-on.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { t } from '../../text/text.ts'
import type { JobDraftProps } from './job-draft.ts'

type SourceFieldsProps = Omit<JobDraftProps, 'isKnown'> & { host: HostId }

/** What is backed up: stacks with their volumes, other volumes, the service itself. */
export function SourceFields({ host, draft: { sources }, set }: SourceFieldsProps) {
  const stacks = useResource('/stacks').value.value
  const volumes = useVolumes(host)
  const known = [
    ...stacksOn(host, stacks).map((name) => `stack ${name}`),
    ...(host === localHostId && can('settings:manage') ? ['system'] : []),
    ...volumes.map((name) => `volume ${name}`),
  ]
  const all = [...new Set([...known, ...sources])]
  const labelOf = (key: string) => {
    const [kind, name = ''] = key.split(' ')
    if (kind === 'system') return t.backups.system
    return kind === 'stack' ? t.backups.stack(name) : t.backups.volume(name)
  }
  return (
    <fieldset class="choices scrolls">
      <legend>{t.backups.sources}</legend>
      {all.length === 0 && <p class="quiet-text">{t.backups.nothingToBackUp}</p>}
      {all.map((key) => (
        <Checkbox
          key={key}
          label={labelOf(key)}
          checked={sources.includes(key)}
          onChange={(checked) =>
            set({
              sources: checked ? [...sources, key] : sources.filter((other) => other !== key),
            })
          }
        />
      ))}
    </fieldset>
  )
}

const anonymous = /^[0-9a-f]{64}$/

/** Returns the volumes of a host that belong to no stack and have a name of their own. */
function useVolumes(host: HostId): string[] {
  const { value } = useResource('/volumes', { host })
  const items = value.value ? splitHosts(value.value).items : []
  const named = items.filter(({ name, stack }) => stack === null && !anonymous.test(name))
  return named.map(({ name }) => name)
}
