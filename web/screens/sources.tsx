import { useSignal } from '@preact/signals'
import { KeyRound, Lock, Pencil, Plus, RefreshCw, ShieldCheck, Trash2, Webhook } from 'lucide'
import { useResource } from '../data/cache.ts'
import { removeSource, type Source } from '../data/sources.ts'
import { useAct } from '../data/use-act.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { usePageAction } from '../frame/page-action.ts'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Empty } from '../parts/empty.tsx'
import { Menu } from '../parts/menu.tsx'
import { Table } from '../parts/table.tsx'
import { t } from '../text/text.ts'
import { AgeRecipient } from './sources/age-recipient.tsx'
import { HostKey } from './sources/host-key.tsx'
import { PublicKey } from './sources/public-key.tsx'
import { asksForHostKey, sourceColumns } from './sources/source-columns.tsx'
import { SourceForm } from './sources/source-form.tsx'
import { SourceHookDialog } from './sources/source-hook.tsx'
import { useLook } from './sources/use-look.ts'

type Open =
  | {
      kind: 'edit' | 'remove' | 'public-key' | 'host-key' | 'age-recipient' | 'hook'
      source: Source
    }
  | { kind: 'add' }
  | undefined

/** The places outside of the service that have files of stacks. */
export default function Sources() {
  const sources = useResource('/sources')
  const open = useSignal<Open>(undefined)
  const show = (next: Open) => () => {
    open.value = next
  }
  const add = show({ kind: 'add' })
  usePageAction({ label: t.sources.add, icon: Plus, keys: 'n', run: add })
  const look = useLook()
  const addButton = (
    <Button kind="primary" icon={Plus} onClick={add}>
      {t.sources.add}
    </Button>
  )
  const itemsOf = (source: Source) => [
    { label: t.sources.look, icon: RefreshCw, run: () => void look.run(source.name) },
    ...(asksForHostKey(source)
      ? [
          {
            label: t.sources.confirmHostKey,
            icon: ShieldCheck,
            run: show({ kind: 'host-key', source }),
          },
        ]
      : []),
    ...(source.public_key
      ? [{ label: t.sources.publicKey, icon: KeyRound, run: show({ kind: 'public-key', source }) }]
      : []),
    ...(source.age_recipient
      ? [
          {
            label: t.sources.ageRecipient,
            icon: Lock,
            run: show({ kind: 'age-recipient', source }),
          },
        ]
      : []),
    { label: t.hook.open(source.name), icon: Webhook, run: show({ kind: 'hook', source }) },
    {
      label: t.sources.change(source.name),
      icon: Pencil,
      run: show({ kind: 'edit', source }),
    },
    {
      label: t.sources.remove(source.name),
      icon: Trash2,
      kind: 'danger' as const,
      run: show({ kind: 'remove', source }),
    },
  ]
  const afterSave = (saved: Source) => {
    open.value = saved.public_key ? { kind: 'public-key', source: saved } : undefined
  }
  const afterLook = (source: Source) => {
    open.value = asksForHostKey(source) ? { kind: 'host-key', source } : undefined
  }
  const shown = open.value
  const close = show(undefined)
  return (
    <Page title={t.frame.sources} actions={addButton}>
      <Loaded of={sources} what={t.frame.sources} failed={t.sources.failed}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.sources.empty}>{t.sources.emptyNext}</Empty>
          ) : (
            <Table
              label={t.frame.sources}
              columns={sourceColumns()}
              rows={rows}
              rowKey={({ name }) => name}
              actions={(source) => (
                <Menu label={t.sources.actionsOf(source.name)} items={itemsOf(source)} />
              )}
            />
          )
        }
      </Loaded>
      {shown?.kind === 'add' && <SourceForm onSaved={afterSave} onClose={close} />}
      {shown?.kind === 'edit' && (
        <SourceForm source={shown.source} onSaved={close} onClose={close} />
      )}
      {shown?.kind === 'public-key' && (
        <PublicKey source={shown.source} onLooked={afterLook} onClose={close} />
      )}
      {shown?.kind === 'host-key' && <HostKey source={shown.source} onClose={close} />}
      {shown?.kind === 'age-recipient' && <AgeRecipient source={shown.source} onClose={close} />}
      {shown?.kind === 'hook' && <SourceHookDialog source={shown.source} onClose={close} />}
      {shown?.kind === 'remove' && <RemoveSource source={shown.source} onClose={close} />}
    </Page>
  )
}

function RemoveSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const { name } = source
  const remove = useAct(removeSource, {
    ended: () => t.sources.removed(name),
    failed: t.sources.notRemoved,
  })
  return (
    <Confirm
      title={t.sources.removeAsk(name)}
      action={t.sources.remove(name)}
      lost={t.sources.lost}
      stays={t.sources.stays}
      busy={remove.pending.value && t.sources.removing}
      onConfirm={() => void remove.run(name).then(onClose)}
      onClose={onClose}
    />
  )
}
