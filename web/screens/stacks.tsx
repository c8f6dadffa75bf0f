import { useComputed } from '@preact/signals'
import { Plus } from 'lucide'
import { useList } from '../data/cache.ts'
import { can } from '../data/session.ts'
import { useHostNames } from '../data/use-host-names.ts'
import { useReadable } from '../data/use-readable.ts'
import { go, useQuery } from '../frame/address.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { usePalette } from '../frame/palette-state.ts'
import { useShortcuts } from '../frame/shortcuts.ts'
import { LinkButton } from '../parts/link.tsx'
import { t } from '../text/text.ts'
import { NoStacks } from './home/stacks.tsx'
import type { Stack } from './stacks/stack-columns.tsx'
import { StackList } from './stacks/stack-list.tsx'
import { StackToolbar } from './stacks/stack-toolbar.tsx'

/** From this many on, only the rows in sight are in the page. */
const tableMax = 100

/** All stacks of all hosts, with what can be done to several of them. */
export default function Stacks() {
  const list = useList('/stacks', {}, ({ name }: Stack) => name)
  const nameOf = useHostNames()
  const hosts = useReadable('hosts:read', '/hosts').value ?? []
  const [text, setText] = useQuery('filter')
  const [state, setState] = useQuery('state')
  const [host, setHost] = useQuery('host')
  const isLong = useComputed(() => list.order.value.length > tableMax).value
  const isEmpty = useComputed(() => list.order.value.length === 0).value
  const mayCreate = can('stacks:create')
  const create = () => go('/stacks/+new')
  useShortcuts(mayCreate ? [{ keys: 'c', label: t.stacks.create, run: create }] : [])
  usePalette(() => (mayCreate ? [{ label: t.stacks.create, icon: Plus, run: create }] : []))
  const isLoaded = list.isLoaded.value
  const problem = list.problem.value
  const filter = { text, state, host }
  return (
    <Page
      title={t.stacks.title}
      isFull={isLong}
      actions={
        mayCreate && (
          <LinkButton href="/stacks/+new" kind="primary" icon={Plus}>
            {t.stacks.create}
          </LinkButton>
        )
      }
      toolbar={
        isLoaded &&
        !isEmpty && (
          <StackToolbar
            filter={filter}
            hosts={hosts}
            setText={setText}
            setState={setState}
            setHost={setHost}
            isStale={problem !== undefined}
          />
        )
      }
    >
      <Loaded
        of={{
          value: { value: isLoaded ? { isEmpty } : undefined },
          // What is older than it says so in the toolbar.
          problem: { value: isLoaded ? undefined : problem },
          reload: list.reload,
        }}
        what={t.stacks.what}
        failed={t.stacks.failed}
        rows={10}
        isEmpty={(known) => known.isEmpty}
        empty={<NoStacks />}
      >
        {() => <StackList list={list} nameOf={nameOf} filter={filter} isLong={isLong} />}
      </Loaded>
    </Page>
  )
}
