import './home/home.css'
import { Plus } from 'lucide'
import { can } from '../data/session.ts'
import { Page } from '../frame/page.tsx'
import { LinkButton } from '../parts/link.tsx'
import { t } from '../text/text.ts'
import { Hosts } from './home/hosts.tsx'
import { Stacks } from './home/stacks.tsx'
import { TroubleList } from './home/trouble-list.tsx'

/** What is wrong now, then the hosts, then the stacks: of all hosts at once. */
export default function Home() {
  const create = can('stacks:create') && (
    <LinkButton href="/stacks/+new" icon={Plus}>
      {t.stacks.create}
    </LinkButton>
  )
  return (
    <Page title={t.home.title} actions={create}>
      <TroubleList />
      {can('hosts:read') && <Hosts />}
      {can('stacks:read') && <Stacks />}
    </Page>
  )
}
