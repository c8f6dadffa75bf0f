import { X } from 'lucide'
import { pulls } from '../../data/pulls.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../text/text.ts'
import { PulledLayers } from './pulled-layers.tsx'

/** The pulls that go on while their dialog is closed. */
export function PullsPanel() {
  return (
    <>
      {pulls.value.map((pull) => (
        <Panel
          key={pull.startedAt}
          title={t.images.pullingImage(pull.image)}
          actions={
            <Button icon={X} onClick={pull.cancel}>
              {t.images.cancelPull}
            </Button>
          }
        >
          <PulledLayers of={pull} />
        </Panel>
      ))}
    </>
  )
}
