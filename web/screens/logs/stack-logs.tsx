import { useMemo } from 'preact/hooks'
import { useQuery } from '../../frame/address.ts'
import { t } from '../../text/text.ts'
import { Choice } from './choice.tsx'
import type { LogSource } from './log-feed.ts'
import { LogView } from './log-view.tsx'

interface StackLogsProps {
  name: string
  /** The names of its services. */
  services: readonly string[]
}

/** The merged logs of a stack, with a choice of services that is in the address. */
export function StackLogs({ name, services }: StackLogsProps) {
  const [text, setText] = useQuery('service')
  const chosen = text.split(',').filter((one) => services.includes(one))
  const sources = useMemo((): LogSource[] => {
    const service = chosen.length > 0 ? { service: chosen } : {}
    return [{ path: '/ws/stacks/{name}/logs', params: { name, ...service } }]
  }, [name, chosen.join()])
  return (
    <LogView
      label={t.logs.of(name)}
      sources={sources}
      file={name}
      hasSources={services.length > 1}
      filter={
        services.length > 1 && (
          <Choice
            label={t.logs.services}
            summary={summaryOf(chosen)}
            options={services}
            chosen={chosen}
            onChange={(next) => setText(next.join(','))}
          />
        )
      }
    />
  )
}

function summaryOf(chosen: readonly string[]): string {
  if (chosen.length === 0) return t.logs.allServices
  return chosen.length === 1 ? (chosen[0] ?? '') : t.logs.someServices(chosen.length)
}
