import { Plus } from 'lucide'
import { useResource } from '../../data/cache.ts'
import { useOverlay } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Page } from '../../frame/page.tsx'
import { usePageAction } from '../../frame/page-action.ts'
import { Button } from '../../parts/button.tsx'
import { t } from '../../text/text.ts'
import { NewRole } from './new-role.tsx'
import { RoleMatrix } from './role-matrix.tsx'
import { userTabs } from './user-tabs.ts'

/** The roles and their permissions, as a matrix. */
export default function Roles() {
  const roles = useResource('/roles')
  const [open, setOpen] = useOverlay('open')
  const add = () => setOpen('new')
  usePageAction({ label: t.roles.add, icon: Plus, keys: 'n', run: add })
  return (
    <Page
      title={t.frame.users}
      tabs={userTabs()}
      actions={
        <Button kind="primary" icon={Plus} onClick={add}>
          {t.roles.add}
        </Button>
      }
    >
      <Loaded of={roles} what={t.users.roles} failed={t.roles.failed}>
        {(value) => <RoleMatrix roles={value} />}
      </Loaded>
      {open === 'new' && <NewRole roles={roles.value.value ?? []} onClose={() => setOpen('')} />}
    </Page>
  )
}
