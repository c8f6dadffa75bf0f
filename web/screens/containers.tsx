import './containers/containers.css'
import { useComputed, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { useList, useResource } from '../data/cache.ts'
import { useContainerUsage } from '../data/container-usage.ts'
import { type Container, everyContainer } from '../data/containers.ts'
import { keepOrder } from '../data/list.ts'
import { useQuery } from '../frame/address.ts'
import { Unreachable } from '../frame/host-filter.tsx'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { Empty } from '../parts/empty.tsx'
import { LinkButton } from '../parts/link.tsx'
import { Menu } from '../parts/menu.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Select } from '../parts/select.tsx'
import { SelectionBar } from '../parts/selection-bar.tsx'
import { LiveTable } from '../parts/table.tsx'
import { useChosen } from '../parts/use-chosen.ts'
import { t } from '../text/text.ts'
import { AskVerb } from './containers/ask-verb.tsx'
import { columnsOf } from './containers/columns.tsx'
import { addressOf, rowItems, type Verb, verbActions } from './containers/container-verbs.ts'
import { type ContainerFilter, isShown } from './containers/filter.ts'
import { mayChangeContainers, useContainerVerbs } from './containers/use-container-verbs.tsx'

const rowId = ({ host_id, id }: Container) => `${host_id}/${id}`

/** The containers of all hosts. */
export default function Containers() {
  const { order, rows, problem, isLoaded, reload } = useList(
    '/containers',
    everyContainer,
    rowId,
    (value) => ('items' in value ? value.items : value),
  )
  const filter = useFilter()
  const actions = useMemo(verbActions, [])
  const asked = useSignal<{ verb: Verb; container: Container } | undefined>(undefined)
  const usageOf = useContainerUsage()
  const ask = (container: Container, verb: Verb) => {
    if (verb === 'start') void actions.start.run(container)
    else asked.value = { verb, container }
  }
  const menu = (row: Container) => (
    <Menu label={t.containers.actions(row.name)} items={rowItems(row, (verb) => ask(row, verb))} />
  )
  const wanted = useSignal(filter)
  if (JSON.stringify(wanted.peek()) !== JSON.stringify(filter)) wanted.value = filter
  const keep = useMemo(keepOrder, [])
  const shown = useComputed(() => {
    const { text, state, host } = wanted.value
    // Reading a thousand rows makes each change of one of them cost more.
    if (text === '' && state === '' && host === '') return order.value
    const isRowShown = (id: string) => {
      const row = rows.get(id)?.value
      return row !== undefined && isShown(row, wanted.value)
    }
    return keep(order.value.filter(isRowShown))
  })
  const all = order.value
  const hosts = [...new Set(all.flatMap((id) => rows.get(id)?.peek().host_name ?? []))]
  const hasHosts = hosts.length > 1
  const columns = useMemo(() => columnsOf({ usageOf, hasHosts }), [usageOf, hasHosts])
  const { verb, container } = asked.value ?? {}
  const mayChange = mayChangeContainers()
  const selection = useChosen(all)
  const several = useContainerVerbs(() => selection.choose([]))
  const chosen = selection.ids.flatMap((id) => rows.get(id)?.value ?? [])
  return (
    <Page
      title={t.containers.title}
      toolbar={
        all.length > 0 && <Toolbar hosts={hosts} shown={shown.value.length} all={all.length} />
      }
      isFull={all.length > 0}
    >
      <Loaded
        of={{ value: { value: isLoaded.value ? all : undefined }, problem, reload }}
        what={t.containers.what}
        failed={t.containers.failed}
        empty={<Missing otherwise={<None />} />}
      >
        {() =>
          shown.value.length === 0 ? (
            <Empty title={t.parts.noRows} />
          ) : (
            <LiveTable
              label={t.containers.title}
              columns={columns}
              ids={shown}
              row={(id) => rows.get(id)}
              href={(row) => addressOf(row)}
              actions={menu}
              nameOf={({ name }) => name}
              selection={mayChange ? selection : undefined}
              isWindowed
            />
          )
        }
      </Loaded>
      {mayChange && (
        <SelectionBar
          selection={selection}
          what={t.containers.count(chosen.length)}
          items={several.itemsFor(chosen)}
        />
      )}
      {several.dialog}
      {verb && container && (
        <AskVerb
          verb={verb}
          container={container}
          actions={actions}
          onClose={() => {
            asked.value = undefined
          }}
        />
      )}
    </Page>
  )
}

function useFilter(): ContainerFilter {
  const [text] = useQuery('filter')
  const [state] = useQuery('state')
  const [host] = useQuery('host')
  return { text, state, host }
}

function Toolbar({ hosts, shown, all }: { hosts: string[]; shown: number; all: number }) {
  const [text, setText] = useQuery('filter')
  const [state, setState] = useQuery('state')
  const [host, setHost] = useQuery('host')
  const states = [
    { value: '', label: t.containers.allStates },
    { value: 'running', label: t.containers.isRunning },
    { value: 'stopped', label: t.containers.isStopped },
    { value: 'trouble', label: t.containers.isTrouble },
  ]
  const places = [
    { value: '', label: t.containers.allHosts },
    ...hosts.map((name) => ({ value: name, label: name })),
  ]
  return (
    <>
      <SearchField label={t.containers.filter} value={text} onInput={setText} />
      <Select
        label={t.containers.state}
        value={state}
        options={states}
        onChange={setState}
        isBare
      />
      {hosts.length > 1 && (
        <Select label={t.containers.host} value={host} options={places} onChange={setHost} isBare />
      )}
      <span class="container-count" role="status">
        {t.containers.shown(shown, all)}
      </span>
      <Missing />
    </>
  )
}

/** The hosts whose containers are missing from the list; `otherwise` is shown if there are none. */
function Missing({ otherwise = null }: { otherwise?: ComponentChildren }) {
  const { value } = useResource('/containers', everyContainer)
  const hosts =
    value.value && 'unreachable_hosts' in value.value ? value.value.unreachable_hosts : []
  return hosts.length > 0 ? <Unreachable of={hosts} /> : otherwise
}

const None = () => (
  <Empty
    title={t.containers.empty}
    action={<LinkButton href="/stacks">{t.containers.stacks}</LinkButton>}
  >
    {t.containers.emptyNext}
  </Empty>
)
