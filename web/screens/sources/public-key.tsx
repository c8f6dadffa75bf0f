import type { Source } from '../../data/sources.ts'
import { Button } from '../../parts/button.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { t } from '../../text/text.ts'
import { useLook } from './use-look.ts'

interface PublicKeyProps {
  source: Source
  onLooked: (source: Source) => void
  onClose: () => void
}

/** Shows the key that the owner of a repository adds to it, and asks the source then. */
export function PublicKey({ source, onLooked, onClose }: PublicKeyProps) {
  const look = useLook()
  const lookNow = async () => {
    const looked = await look.run(source.name)
    if (looked) onLooked(looked)
  }
  const actions = (
    <>
      <Button onClick={onClose}>{t.parts.close}</Button>
      <Button
        kind="primary"
        busy={look.pending.value && t.sources.looking}
        onClick={() => void lookNow()}
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
      <p>
        {t.sources.publicKeyHelp} {source.host_key === null && t.sources.publicKeyNext}
      </p>
      <CommandLine command={source.public_key ?? ''} what={t.sources.publicKey} />
    </Dialog>
  )
}
