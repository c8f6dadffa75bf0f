import './container.css'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { ErrorBoundary as Loading } from 'preact-iso/lazy'
import { useLocation, useRoute } from 'preact-iso/router'
import { useResource } from '../../data/cache.ts'
import type { ContainerDetails } from '../../data/containers.ts'
import { can } from '../../data/session.ts'
import { go } from '../../frame/address.ts'
import { lazy } from '../../frame/lazy.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { Empty } from '../../parts/empty.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { NoPermission } from '../../parts/no-permission.tsx'
import type { Tab } from '../../parts/tabs.tsx'
import { t } from '../../text/text.ts'
import { ContainerActions } from './container-actions.tsx'
import { ContainerLogs } from './container-logs.tsx'
import { ContainerState } from './container-state.tsx'
import { addressOf, mayEnter } from './container-verbs.ts'
import { Inspect } from './inspect.tsx'
import { Overview } from './overview.tsx'
import { Processes } from './processes.tsx'

const Charts = lazy(() => import('./charts.tsx'))
const Terminals = lazy(() => import('./terminals.tsx'))

const fullTabs = ['logs', 'terminal']

/** One container: what it uses, what it says, and a way in. */
export default function ContainerPage() {
  const { host = '', id = '', tab = '' } = useRoute().params
  return <OneContainer key={`${host}/${id}`} host={host} id={id} tab={tab} />
}

interface OneProps {
  host: string
  id: string
  tab: string
}

function OneContainer({ host, id, tab }: OneProps) {
  const read = useResource('/containers/{id}', { id, host })
  const { value, problem } = read
  const isRemoved = useSignal(false)
  const container = value.value
  useExactAddress(container, { host, id, tab })
  const isGone = isRemoved.value || problem.value?.status === 404
  return (
    <Page
      title={container?.name ?? id.slice(0, 12)}
      above={[{ href: '/containers', label: t.containers.title }]}
      state={container && !isGone && <ContainerState of={container} />}
      actions={
        container &&
        !isGone && (
          <ContainerActions
            container={container}
            onRemoved={() => {
              isRemoved.value = true
              go('/containers')
            }}
          />
        )
      }
      tabs={container && !isGone ? tabsOf(container, { host, id }) : undefined}
      isFull={container !== undefined && !isGone && fullTabs.includes(tab)}
    >
      {isGone ? (
        <Gone stack={container?.stack ?? null} />
      ) : (
        <Loaded of={read} what={t.container.what} failed={t.container.failed}>
          {(known) => <TabContent container={known} tab={tab} />}
        </Loaded>
      )}
    </Page>
  )
}

/** Replaces names in the address: events speak of ids. */
function useExactAddress(container: ContainerDetails | undefined, { host, id, tab }: OneProps) {
  const { path, route } = useLocation()
  const isLeft = path !== useRoute().path
  useEffect(() => {
    // While the next page loads, its address must not be replaced by that of this one.
    if (!container || isLeft || (container.id === id && container.host_id === host)) return
    route(`${addressOf(container, tab)}${location.search}`, true)
  }, [container])
}

function tabsOf(container: ContainerDetails, { host, id }: { host: string; id: string }): Tab[] {
  // As in the address of this page, which may have names instead of ids.
  const at = { id, host_id: host }
  const ofStack = container.stack !== null && container.service !== null
  return [
    { href: addressOf(at), label: t.container.overview },
    { href: addressOf(at, 'logs'), label: t.container.logs },
    ...(mayEnter(container)
      ? [{ href: addressOf(at, 'terminal'), label: t.container.terminal }]
      : []),
    { href: addressOf(at, 'charts'), label: t.container.charts },
    ...(ofStack && can('stacks:read')
      ? [{ href: addressOf(at, 'processes'), label: t.container.processes }]
      : []),
    { href: addressOf(at, 'inspect'), label: t.container.inspect },
  ]
}

function TabContent({ container, tab }: { container: ContainerDetails; tab: string }) {
  // Open terminals stay connected while the reader is on another tab of the container.
  const wasOpened = useSignal(false)
  if (tab === 'terminal' && can('containers:exec')) wasOpened.value = true
  const shown = useMemo(() => {
    if (tab === 'logs') return <ContainerLogs container={container} />
    if (tab === 'charts') {
      return (
        <Loading>
          <Charts container={container} />
        </Loading>
      )
    }
    if (tab === 'processes') return <Processes container={container} />
    if (tab === 'inspect') return <Inspect container={container} />
    if (tab !== 'terminal') return <Overview container={container} />
    return can('containers:exec') ? null : <NoPermission permission="containers:exec" />
  }, [tab, container])
  return (
    <>
      {shown}
      {wasOpened.value && (
        <Loading>
          <Terminals container={container} isShown={tab === 'terminal'} />
        </Loading>
      )}
    </>
  )
}

/** It was removed, here or elsewhere. */
function Gone({ stack }: { stack: string | null }) {
  const action =
    stack === null ? (
      <LinkButton href="/containers">{t.container.toList}</LinkButton>
    ) : (
      <LinkButton href={`/stacks/${stack}`}>{t.container.toStack(stack)}</LinkButton>
    )
  return (
    <Empty title={t.container.gone} action={action}>
      {t.container.goneWhy}
    </Empty>
  )
}
