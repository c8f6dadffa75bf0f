import type { ComponentChildren } from 'preact'
import type { Container } from '../data/containers.ts'
import { type OfHosts, splitHosts } from '../data/host-lists.ts'
import type { Resource } from '../data/resource-cache.ts'
import type { Used, UsersOf } from '../data/users-of.ts'
import type { HostName } from '../host-ids.ts'
import type { Column } from '../parts/columns.ts'
import { Empty } from '../parts/empty.tsx'
import { Labels } from '../parts/labels.tsx'
import { Link } from '../parts/link.tsx'
import { None } from '../parts/none.tsx'
import { Facts } from '../parts/panel.tsx'
import { isPhone } from '../parts/phone.ts'
import { SearchField } from '../parts/search-field.tsx'
import { Select } from '../parts/select.tsx'
import { SelectionBar } from '../parts/selection-bar.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { useChosen } from '../parts/use-chosen.ts'
import { t } from '../text/text.ts'
import { useOverlay, useQuery } from './address.ts'
import { Detail } from './detail.tsx'
import { HostFilter, Unreachable } from './host-filter.tsx'
import { Loaded } from './loaded.tsx'
import { Page } from './page.tsx'
import { type Removal, useRemoval } from './remove-things.tsx'
import { useSelectHref } from './select-href.ts'
import { StackLink } from './stack-link.tsx'
import { Users, UsersCell, useUsers } from './users.tsx'

/** What hosts have and stacks use: a network or a volume. */
interface Thing extends Used {
  stack: string | null
  driver: string
  host_name: HostName
  created_at: string | null
  labels: Readonly<Record<string, string>>
}

interface ThingsOfHostsProps<T extends Thing> {
  title: string
  /** The parameter of the address that names the open one. */
  parameter: string
  of: Resource<OfHosts<T>>
  texts: typeof t.networks | typeof t.volumes
  /** The head of the column with the names. */
  head: string
  keyOf: (thing: T) => string
  removal: Removal<T>
  /** The names by which a container uses them. */
  namesIn: (container: Container) => readonly string[]
  /** What stands beside the name. */
  mark?: (thing: T) => ComponentChildren
  /** Columns of its own, after those who use it. */
  columns?: readonly Column<T>[]
  /** What stands above the list, such as why a column is empty. */
  notice?: ComponentChildren
  /** Facts of its own that the open one shows. */
  facts: (thing: T) => Parameters<typeof Facts>[0]['of']
}

/** A page with the networks or the volumes of all hosts, and one of them in detail. */
export function ThingsOfHosts<T extends Thing>(props: ThingsOfHostsProps<T>) {
  const { title, of, texts } = props
  const [filter, setFilter] = useQuery('filter')
  return (
    <Page
      title={title}
      toolbar={
        <>
          <SearchField label={texts.filter} value={filter} onInput={setFilter} />
          <HostFilter />
          <UseFilter />
        </>
      }
    >
      <Loaded of={of} what={title} failed={texts.failed}>
        {(value) => <Content {...props} value={value} filter={filter.toLowerCase()} />}
      </Loaded>
    </Page>
  )
}

const uses = ['all', 'used', 'unused'] as const

function UseFilter() {
  const [use, setUse] = useQuery('use', 'all')
  return (
    <Select
      label={t.lists.use}
      isBare
      value={use}
      onChange={setUse}
      options={uses.map((value) => ({ value: value as string, label: t.lists.uses[value] }))}
    />
  )
}

/** Returns whether the users of something are as a filter wants them. */
const isOfUse = (users: readonly Container[] | undefined, use: string) =>
  use === 'used' ? users !== undefined && users.length > 0 : use !== 'unused' || users?.length === 0

interface ContentProps<T extends Thing> extends ThingsOfHostsProps<T> {
  value: OfHosts<T>
  filter: string
}

function Content<T extends Thing>(props: ContentProps<T>) {
  const { value, filter, title, parameter, texts, keyOf, facts, namesIn } = props
  const { items, unreachable } = splitHosts(value)
  const [selected, select] = useOverlay(parameter, isPhone.value)
  const [use] = useQuery('use', 'all')
  const usersOf = useUsers(namesIn)
  const selection = useChosen(items.map(keyOf))
  const removal = useRemoval(props.removal, usersOf, () => selection.choose([]))
  const chosen = items.filter((thing) => selection.ids.includes(keyOf(thing)))
  const hrefOf = useSelectHref(parameter)
  const href = (thing: T) => hrefOf(keyOf(thing))
  const rows = items.filter(
    (thing) =>
      [thing.name, thing.stack ?? ''].some((text) => text.toLowerCase().includes(filter)) &&
      isOfUse(usersOf(thing), use),
  )
  const open = items.find((one) => keyOf(one) === selected)
  return (
    <>
      <Unreachable of={unreachable} />
      {rows.length > 0 && props.notice}
      {rows.length > 0 && (
        <Table
          label={title}
          columns={columnsOf(props, href, usersOf)}
          rows={rows}
          rowKey={keyOf}
          href={href}
          selected={selected}
          nameOf={({ name }) => name}
          selection={removal && selection}
          actions={removal?.menuOf}
        />
      )}
      {removal && (
        <SelectionBar
          selection={selection}
          what={props.removal.texts.count(chosen.length)}
          items={[removal.itemFor(chosen)]}
        />
      )}
      {removal?.dialog}
      {rows.length === 0 && items.length > 0 && <Empty title={t.parts.noRows} />}
      {items.length === 0 && unreachable.length === 0 && (
        <Empty title={texts.empty}>{texts.emptyNext}</Empty>
      )}
      {open && (
        <Detail title={open.name} onClose={() => select('')}>
          <Facts
            of={[
              [t.stacks.stack, <StackLink key="stack" name={open.stack} />],
              [t.hosts.host, open.host_name],
              [texts.driver, open.driver],
              ...facts(open),
              open.created_at !== null && [
                texts.created,
                <Time key="created" at={open.created_at} />,
              ],
            ]}
          />
          <Users of={usersOf(open)} />
          <h3>{texts.labels}</h3>
          <Labels of={open.labels} none={texts.noLabels} />
        </Detail>
      )}
    </>
  )
}

const columnsOf = <T extends Thing>(
  { texts, head, mark, columns = [] }: ThingsOfHostsProps<T>,
  href: (thing: T) => string,
  usersOf: UsersOf,
): Column<T>[] => [
  {
    key: 'name',
    label: head,
    sort: ({ name }) => name,
    cell: (thing) => (
      <>
        <Link href={href(thing)} kind="strong">
          {thing.name}
        </Link>{' '}
        {mark?.(thing)}
      </>
    ),
  },
  {
    key: 'stack',
    label: t.stacks.stack,
    width: '144px',
    isMinor: true,
    sort: ({ stack }) => stack ?? '',
    cell: ({ stack }) => <StackLink name={stack} />,
  },
  {
    key: 'used',
    label: t.lists.usedBy,
    isMinor: true,
    sort: (thing) => usersOf(thing)?.length,
    cell: (thing) => <UsersCell of={usersOf(thing)} />,
  },
  ...columns,
  {
    key: 'driver',
    label: texts.driver,
    width: '88px',
    isMinor: true,
    isLabelled: true,
    sort: ({ driver }) => driver,
    cell: ({ driver }) => driver,
  },
  {
    key: 'host',
    label: t.hosts.host,
    width: '112px',
    isMinor: true,
    isLabelled: true,
    sort: ({ host_name }) => host_name,
    cell: ({ host_name }) => host_name,
  },
  {
    key: 'created',
    label: texts.created,
    width: '128px',
    align: 'end',
    isMinor: true,
    sort: ({ created_at }) => created_at ?? '',
    cell: ({ created_at }) => (created_at ? <Time at={created_at} /> : <None />),
  },
]
