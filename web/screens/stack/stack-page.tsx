import './stack.css'
import type { ComponentChildren } from 'preact'
import { useLocation, useRoute } from 'preact-iso/router'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { useHostNames } from '../../data/use-host-names.ts'
import { hasPageAt } from '../../frame/known-pages.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import type { HostId } from '../../host-ids.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Link, LinkButton } from '../../parts/link.tsx'
import { StackState } from '../../parts/stack-state.tsx'
import type { Tab } from '../../parts/tabs.tsx'
import { t } from '../../text/text.ts'
import { StackActions } from './stack-actions.tsx'
import { hasNotices, StackNotices } from './stack-notices.tsx'

interface StackPageProps {
  children: (stack: StackDetails) => ComponentChildren
  /** The filter of the tab, and what belongs to it. */
  toolbar?: ComponentChildren
  /** Fills the window, for logs and editors. */
  isFull?: boolean
  /** The page shows the plan of a deploy. */
  isPlan?: boolean
}

/** Returns the name of the stack in the address. */
export const useStackName = (): string => useRoute().params.name ?? ''

/** The frame of every tab of a stack: its name, state, actions and what is going on. */
export function StackPage({ children, toolbar, isFull, isPlan }: StackPageProps) {
  const name = useStackName()
  const { path, query } = useLocation()
  const place = { path, followed: query.deployment }
  const read = useResource('/stacks/{name}', { name })
  const { value, problem } = read
  // Another tab may have deleted it.
  const isGone = problem.value?.status === 404
  const stack = isGone ? undefined : value.value
  return (
    <Page
      title={name}
      above={hasPageAt('/stacks') ? [{ href: '/stacks', label: t.frame.stacks }] : []}
      state={stack && <StackBadges stack={stack} />}
      actions={stack && <StackActions stack={stack} isPlan={isPlan ?? false} />}
      tabs={isGone ? undefined : tabsOf(name, path, stack)}
      toolbar={
        stack &&
        (hasNotices(stack, place) || toolbar) && (
          <>
            <StackNotices stack={stack} place={place} />
            {toolbar}
          </>
        )
      }
      isFull={isFull ?? false}
    >
      {isGone ? (
        <NoStack name={name} />
      ) : (
        <Loaded
          // What is on the page stays as it is while the stack cannot be read again.
          of={{ ...read, problem: { value: stack ? undefined : problem.value } }}
          what={name}
          failed={t.stack.failed(name)}
        >
          {children}
        </Loaded>
      )}
    </Page>
  )
}

/** There never was one of this name, or it was deleted. */
function NoStack({ name }: { name: string }) {
  return (
    <Empty
      title={t.stack.none(name)}
      action={
        can('stacks:create') ? (
          <LinkButton href="/stacks/+new">{t.stacks.create}</LinkButton>
        ) : (
          <LinkButton href="/stacks">{t.stacks.title}</LinkButton>
        )
      }
    />
  )
}

function StackBadges({ stack }: { stack: StackDetails }) {
  const { environment, host } = stack
  return (
    <>
      <StackState of={stack} />
      <HostOf id={host} />
      {environment !== null && <Badge>{environment}</Badge>}
    </>
  )
}

/** Names the host of the stack, for those who may see hosts. */
function HostOf({ id }: { id: HostId }) {
  const name = useHostNames()(id)
  if (!name || !can('hosts:read')) return null
  return (
    <span class="stack-host">
      <Link href={`/hosts/${id}`} kind="quiet">
        {t.stack.onHost(name)}
      </Link>
    </span>
  )
}

/** The tabs that have a screen. */
function tabsOf(name: string, path: string, stack: StackDetails | undefined): Tab[] {
  const at = `/stacks/${encodeURIComponent(name)}`
  const all = [
    { end: '', label: t.stack.services },
    { end: '/logs', label: t.frame.logs },
    { end: '/files', label: t.stack.files },
    { end: '/deployments', label: t.stack.deployments },
    { end: '/backups', label: t.frame.backups },
    { end: '/drift', label: t.stack.drift, count: stack?.drift.length || undefined },
    { end: '/events', label: t.stack.events },
  ]
  return all
    .filter(({ end }) => hasPageAt(`${at}${end}`))
    .map(({ end, label, count }) => ({
      href: `${at}${end}`,
      label,
      count,
      ...(end !== '' && path.startsWith(`${at}${end}/`) && { isCurrent: true }),
    }))
}
