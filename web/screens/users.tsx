import { Plus } from 'lucide'
import { useResource } from '../data/cache.ts'
import { serviceTime } from '../data/clock.ts'
import { session } from '../data/session.ts'
import type { User } from '../data/users.ts'
import { useOverlay, useQuery } from '../frame/address.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { usePageAction } from '../frame/page-action.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import type { Column } from '../parts/columns.ts'
import { Empty } from '../parts/empty.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { State } from '../parts/state.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { t } from '../text/text.ts'
import { UserForm } from './users/user-form.tsx'
import { UserMenu } from './users/user-menu.tsx'
import { userTabs } from './users/user-tabs.ts'

/** The accounts: their role, their second factor, and whether they can sign in. */
export default function Users() {
  const users = useResource('/users')
  const [filter, setFilter] = useQuery('filter')
  const [open, setOpen] = useOverlay('edit')
  const add = () => setOpen('new')
  usePageAction({ label: t.users.add, icon: Plus, keys: 'n', run: add })
  const user = users.value.value?.find(({ id }) => id === open)
  const words = filter.toLowerCase()
  const isShown = ({ username, email, role }: User) =>
    [username, email ?? '', role].some((text) => text.toLowerCase().includes(words))
  return (
    <Page
      title={t.frame.users}
      tabs={userTabs()}
      actions={
        <Button kind="primary" icon={Plus} onClick={add}>
          {t.users.add}
        </Button>
      }
      toolbar={<SearchField label={t.users.filter} value={filter} onInput={setFilter} />}
    >
      <Loaded of={users} what={t.users.users} failed={t.users.failed}>
        {(value) => {
          const rows = value.filter(isShown)
          return rows.length === 0 ? (
            <Empty title={t.parts.noRows} />
          ) : (
            <Table
              label={t.users.users}
              columns={columnsOf()}
              rows={rows}
              rowKey={({ id }) => id}
              actions={(row) => <UserMenu user={row} onEdit={() => setOpen(row.id)} />}
            />
          )
        }}
      </Loaded>
      {(open === 'new' || user) && <UserForm key={open} user={user} onClose={() => setOpen('')} />}
    </Page>
  )
}

const columnsOf = (): Column<User>[] => [
  {
    key: 'name',
    label: t.users.username,
    sort: ({ username }) => username,
    cell: ({ id, username, scope_tags }) => (
      <>
        {username} {id === session.user.value?.id && <Badge kind="running">{t.users.you}</Badge>}{' '}
        {scope_tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </>
    ),
  },
  {
    key: 'role',
    label: t.users.role,
    width: '136px',
    sort: ({ role }) => role,
    cell: ({ role }) => role,
  },
  {
    key: 'state',
    label: t.hosts.state,
    width: '128px',
    isMinor: true,
    cell: (user) => <UserState of={user} />,
  },
  {
    key: 'mfa',
    label: t.users.mfa,
    width: '136px',
    isMinor: true,
    isLabelled: true,
    sort: ({ mfa_enabled }) => Number(mfa_enabled),
    cell: ({ mfa_enabled }) =>
      mfa_enabled ? t.users.mfaOn : <span class="quiet-text">{t.users.mfaOff}</span>,
  },
  {
    key: 'login',
    label: t.users.lastLogin,
    width: '136px',
    align: 'end',
    isMinor: true,
    sort: ({ last_login_at }) => last_login_at ?? '',
    cell: ({ last_login_at }) => (last_login_at ? <Time at={last_login_at} /> : t.parts.never),
  },
]

function UserState({ of: { disabled, locked_until } }: { of: User }) {
  if (disabled) return <State of="stopped" word={t.users.disabled} />
  if (locked_until !== null && Date.parse(locked_until) > serviceTime()) {
    return <State of="attention" word={t.users.locked} />
  }
  return <State of="running" word={t.users.active} />
}
