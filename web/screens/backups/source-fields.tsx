import type { components } from '../../data/api.types.ts'
import { type OfHosts, splitHosts } from '../../data/host-lists.ts'
import { can } from '../../data/session.ts'
import { stacksOn } from '../../data/stacks-on.ts'
import { useReadable } from '../../data/use-readable.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { type HostId, localHostId } from '../../host-ids.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { t } from '../../text/text.ts'
import type { JobDraftProps } from './job-draft.ts'

type SourceFieldsProps = Omit<JobDraftProps, 'isKnown'> & { host: HostId }

/** What is backed up: stacks with their volumes, other volumes, the service itself. */
export function SourceFields({ host, draft: { sources }, set }: SourceFieldsProps) {
  const stacks = useReadable('stacks:read', '/stacks')
  const volumes = useReadable('volumes:read', '/volumes', { host })
  const known = [
    ...stacksOn(host, stacks.value).map((name) => `stack ${name}`),
    ...(host === localHostId && can('settings:manage') ? ['system'] : []),
    ...namedVolumes(volumes.value).map((name) => `volume ${name}`),
  ]
  const all = [...new Set([...known, ...sources])]
  const isKnown = all.length > 0 || [stacks, volumes].every(({ isSettled }) => isSettled)
  const failed = [stacks, volumes].find(({ problem }) => problem)
  const labelOf = (key: string) => {
    const [kind, name = ''] = key.split(' ')
    if (kind === 'system') return t.backups.system
    return kind === 'stack' ? t.backups.stack(name) : t.backups.volume(name)
  }
  return (
    <fieldset class="choices scrolls">
      <legend>{t.backups.sources}</legend>
      <Loaded
        of={{
          value: { value: isKnown && !(failed && all.length === 0) ? all : undefined },
          problem: { value: failed?.problem },
          ...(failed && { reload: failed.reload }),
        }}
        what={t.backups.sourcesWhat}
        failed={t.backups.failedSources}
        rows={2}
        empty={<p class="quiet-text">{t.backups.nothingToBackUp}</p>}
      >
        {(keys) =>
          keys.map((key) => (
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
          ))
        }
      </Loaded>
    </fieldset>
  )
}

const anonymous = /^[0-9a-f]{64}$/

type Volumes = OfHosts<components['schemas']['Volume']>

/** Returns the volumes that belong to no stack and have a name of their own. */
function namedVolumes(volumes: Volumes | undefined): string[] {
  const items = volumes ? splitHosts(volumes).items : []
  const named = items.filter(({ name, stack }) => stack === null && !anonymous.test(name))
  return named.map(({ name }) => name)
}
