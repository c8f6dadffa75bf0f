import { useResource } from '../../data/cache.ts'
import { splitHosts } from '../../data/host-lists.ts'
import { can } from '../../data/session.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { t } from '../../text/text.ts'
import type { JobDraftProps } from './job-draft.ts'

type SourceFieldsProps = Omit<JobDraftProps, 'isKnown'> & { host: string }

/** What is backed up: stacks with their volumes, other volumes, the service itself. */
export function SourceFields({ host, draft: { sources }, set }: SourceFieldsProps) {
  const stacks = useResource('/stacks').value.value ?? []
  const hosts = useResource('/hosts').value.value ?? []
  const volumes = useVolumes(host)
  const hostName = hosts.find(({ id }) => id === host)?.name ?? host
  const known = [
    ...stacks.filter((stack) => stack.host === hostName).map(({ name }) => `stack ${name}`),
    ...(host === 'local' && can('settings:manage') ? ['system'] : []),
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
function useVolumes(host: string): string[] {
  const { value } = useResource('/volumes', { host })
  const items = value.value ? splitHosts(value.value).items : []
  const named = items.filter(({ name, stack }) => stack === null && !anonymous.test(name))
  return named.map(({ name }) => name)
}
