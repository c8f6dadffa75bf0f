import { useSignal } from '@preact/signals'
import { Detail } from '../../frame/detail.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Facts } from '../../parts/panel.tsx'
import { State } from '../../parts/state.tsx'
import { toast } from '../../parts/toast.tsx'
import { Sample } from './sample.tsx'

type Open = 'dialog' | 'confirm' | 'typed' | 'detail' | undefined

/** Dialogs, the detail panel and lines about how something ended. */
export function Overlays() {
  const open = useSignal<Open>(undefined)
  const show = (next: Open) => () => {
    open.value = next
  }
  const close = show(undefined)
  return (
    <Sample name="Overlays">
      <Button onClick={show('dialog')}>Open dialog</Button>
      <Button onClick={show('confirm')}>Ask to confirm</Button>
      <Button onClick={show('typed')}>Ask for a name</Button>
      <Button onClick={show('detail')}>Open details</Button>
      <Button onClick={() => toast('failed', 'shop could not be deployed', { href: '/kit' })}>
        Show failure
      </Button>
      {open.value === 'dialog' && (
        <Dialog
          title="Rename shop"
          onClose={close}
          actions={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button kind="primary" onClick={close}>
                Rename shop
              </Button>
            </>
          }
        >
          <TextField label="New name" value="shop" onInput={() => {}} />
        </Dialog>
      )}
      {(open.value === 'confirm' || open.value === 'typed') && (
        <Confirm
          title="Remove shop?"
          action="Remove shop"
          lost={open.value === 'typed' ? '3 containers, volumes data and cache' : '3 containers'}
          stays={open.value === 'typed' ? 'Images' : 'Volumes data and cache, images'}
          {...(open.value === 'typed' && { typed: 'shop' })}
          onConfirm={close}
          onClose={close}
        />
      )}
      {open.value === 'detail' && (
        <Detail title="web" state={<State of="running" />} onClose={close}>
          <Facts
            of={[
              ['Image', <code key="image">nginx:1.29</code>],
              ['Ports', '8080 → 80'],
            ]}
          />
        </Detail>
      )}
    </Sample>
  )
}
