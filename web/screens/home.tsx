import './home/home.css'
import { Plus } from 'lucide'
import { can } from '../data/session.ts'
import { useReadable } from '../data/use-readable.ts'
import { Page } from '../frame/page.tsx'
import { LinkButton } from '../parts/link.tsx'
import { t } from '../text/text.ts'
import { FilledLists } from './home/filled-lists.tsx'
import { Hosts } from './home/hosts.tsx'
import { Stacks } from './home/stacks.tsx'
import { TroubleList } from './home/trouble-list.tsx'
import { useTroubles } from './home/use-troubles.ts'

/** What is wrong now, then the hosts, then the stacks: of all hosts at once. */
export default function Home() {
  const create = can('stacks:create') && (
    <LinkButton href="/stacks/+new" icon={Plus}>
      {t.stacks.create}
    </LinkButton>
  )
  const troubles = useTroubles()
  const hosts = useReadable('hosts:read', '/hosts')
  const settings = useReadable('settings:manage', '/settings')
  const isPlaced = [troubles, hosts, settings].every(({ isSettled }) => isSettled)
  return (
    <Page title={t.home.title} actions={create}>
      <FilledLists settings={settings.value} />
      <TroubleList {...troubles} />
      {can('hosts:read') && <Hosts />}
      {can('stacks:read') && <Stacks isPlaced={isPlaced} />}
    </Page>
  )
}
