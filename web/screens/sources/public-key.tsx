import { lookAtSource, type Source } from '../../data/sources.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { t } from '../../text/text.ts'

/** Shows the key that the owner of a repository adds to it, and asks the source then. */
export function PublicKey({ source, onClose }: { source: Source; onClose: () => void }) {
  const look = useAct(lookAtSource, {
    ended: ({ name, last_error }) => (last_error ? undefined : t.sources.looked(name)),
    failed: t.sources.notLooked,
  })
  const actions = (
    <>
      <Button onClick={onClose}>{t.parts.close}</Button>
      <Button
        kind="primary"
        busy={look.pending.value && t.sources.looking}
        onClick={() => void look.run(source.name).then(onClose)}
      >
        {t.sources.look}
      </Button>
    </>
  )
  return (
    <Dialog
      title={t.sources.publicKeyOf(source.name)}
      size="medium"
      actions={actions}
      onClose={onClose}
    >
      <p>{t.sources.publicKeyHelp}</p>
      <CommandLine command={source.public_key ?? ''} what={t.sources.publicKey} />
    </Dialog>
  )
}
