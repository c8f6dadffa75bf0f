import { useSignal } from '@preact/signals'
import {
  ArrowDownToLine,
  Container,
  ExternalLink,
  Hammer,
  ListChecks,
  Pause,
  Play,
  RotateCw,
  Scaling,
  ScrollText,
  Square,
  SquareTerminal,
  Terminal,
} from 'lucide'
import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import { runVerb, type ServiceVerb, type StackDetails } from '../../data/stack-operations.ts'
import { hasPageAt } from '../../frame/known-pages.ts'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { durationText } from './duration-text.ts'
import { builtIn } from './resolved-model.ts'
import { RunService } from './run-service.tsx'
import { ScaleService } from './scale-service.tsx'
import type { ServiceStatus } from './service-row.ts'

interface ServiceMenuProps {
  stack: StackDetails
  row: ServiceStatus
}

const icons = {
  start: Play,
  restart: RotateCw,
  stop: Square,
  pause: Pause,
  unpause: Play,
  pull: ArrowDownToLine,
  build: Hammer,
} as const

/** What can be done to a service now: the verbs of `docker compose`. */
export function ServiceMenu({ stack, row }: ServiceMenuProps) {
  const { name, operation } = stack
  const { service } = row
  const { value: model } = useResource('/stacks/{name}/config', { name })
  const openDialog = useSignal<'scale' | 'run' | undefined>(undefined)
  const current = useSignal<ServiceVerb>('restart')
  const verb = useMemo(
    () =>
      act((next: ServiceVerb) => runVerb(name, service, next), {
        ended: (done) => t.stack.verbEnded(current.value, service, durationText(done)),
        failed: t.stack.verbFailed(service),
      }),
    [name, service, current],
  )
  // The row shows what a verb did before the verb has ended.
  const doing = verb.pending.value ? current.value : operation
  const blocked = doing === null ? undefined : t.stack.busy(name, t.stack.doing[doing])
  const verbs: MenuItem[] = verbsFor(row, builtIn(model.value).has(service)).map((next) => ({
    label: t.stack.verb[next](service),
    icon: icons[next],
    blocked,
    run: () => {
      current.value = next
      void verb.run(next)
    },
  }))
  const scale: MenuItem = {
    label: t.stack.scale(service),
    icon: Scaling,
    blocked,
    run: () => {
      openDialog.value = 'scale'
    },
  }
  const run: MenuItem = {
    label: t.stack.run(service),
    icon: SquareTerminal,
    blocked: blocked ?? (stack.status === 'not_deployed' ? t.stack.deployFirst : undefined),
    run: () => {
      openDialog.value = 'run'
    },
  }
  const deploy: MenuItem = {
    label: t.stack.deployOnly(service),
    icon: ListChecks,
    blocked,
    href: `/stacks/${encodeURIComponent(name)}/deploy?service=${encodeURIComponent(service)}`,
  }
  const acts = can('stacks:deploy') ? [deploy, ...verbs, scale] : []
  const items = [...serviceLinks(stack, row), ...acts, ...(can('containers:exec') ? [run] : [])]
  const close = () => {
    openDialog.value = undefined
  }
  if (items.length === 0) return null
  return (
    <>
      {verb.pending.value && <State of="working" word={t.stack.doing[current.value]} isShort />}
      <Menu label={t.stack.actions(row.name ?? service)} items={items} />
      {openDialog.value === 'scale' && (
        <ScaleService stack={name} service={service} onClose={close} />
      )}
      {openDialog.value === 'run' && <RunService stack={stack} service={service} onClose={close} />}
    </>
  )
}

/** Returns the verbs that make sense in a state. */
function verbsFor({ state, container_id }: ServiceStatus, isBuilt: boolean): ServiceVerb[] {
  const renew: ServiceVerb = isBuilt ? 'build' : 'pull'
  if (container_id === null) return [renew]
  if (state === 'paused') return ['unpause', 'stop', renew]
  if (state === 'running' || state === 'restarting') return ['restart', 'stop', 'pause', renew]
  return ['start', renew]
}

/** Returns the places that show more of a service. */
function serviceLinks({ name, host }: StackDetails, row: ServiceStatus): MenuItem[] {
  const { service, links, container_id: id } = row
  const logs = `/stacks/${encodeURIComponent(name)}/logs`
  const container = `/containers/${host}/${id}`
  return [
    ...links.slice(0, 3).map((href) => ({ label: href, icon: ExternalLink, href })),
    ...(hasPageAt(logs)
      ? [
          {
            label: t.stack.logsOf(service),
            icon: ScrollText,
            href: `${logs}?service=${encodeURIComponent(service)}`,
          },
        ]
      : []),
    ...(id !== null && can('containers:read') && hasPageAt(container)
      ? [{ label: t.stack.openContainer, icon: Container, href: container }]
      : []),
    ...(row.state === 'running' && can('containers:exec') && can('containers:read')
      ? [{ label: t.stack.terminalOf(service), icon: Terminal, href: `${container}/terminal` }]
      : []),
  ]
}
