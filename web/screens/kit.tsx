import './kit/kit.css'
import { Rocket } from 'lucide'
import { Page } from '../frame/page.tsx'
import { Button } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { State } from '../parts/state.tsx'
import { toast } from '../parts/toast.tsx'
import { t } from '../text/text.ts'
import { Controls } from './kit/controls.tsx'
import { Editors } from './kit/editors.tsx'
import { Figures } from './kit/figures.tsx'
import { Lists } from './kit/lists.tsx'
import { Messages } from './kit/messages.tsx'
import { Overlays } from './kit/overlays.tsx'

/** Every part in all of its states, for those who write screens. */
export default function Kit() {
  const actions = (
    <>
      <Menu label="Actions of the kit" items={[{ label: 'Restart kit' }]} />
      <Button
        kind="primary"
        icon={Rocket}
        onClick={() => toast('running', 'Deployed shop in 4.2 s · 2 recreated, 4 unchanged')}
      >
        Deploy shop
      </Button>
    </>
  )
  return (
    <Page
      title={t.kit.title}
      state={<State of="running" />}
      actions={actions}
      tabs={[
        { href: '/kit', label: 'Parts' },
        { href: '/kit/nothing', label: 'Deployments', count: 41 },
        { href: '/kit/nowhere', label: 'Events' },
      ]}
    >
      <p>{t.kit.intro}</p>
      <Controls />
      <Figures />
      <Lists />
      <Messages />
      <Editors />
      <Overlays />
    </Page>
  )
}
