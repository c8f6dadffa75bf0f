import type { Source } from '../../data/sources.ts'
import { Button } from '../../parts/button.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { t } from '../../text/text.ts'

interface AgeRecipientProps {
  source: Source
  onClose: () => void
}

/** Shows whom files of a source are encrypted for. */
export const AgeRecipient = ({ source, onClose }: AgeRecipientProps) => (
  <Dialog
    title={t.sources.ageRecipientOf(source.name)}
    size="medium"
    actions={<Button onClick={onClose}>{t.parts.close}</Button>}
    onClose={onClose}
  >
    <p>{t.sources.ageRecipientHelp}</p>
    <CommandLine command={source.age_recipient ?? ''} what={t.sources.ageRecipient} />
  </Dialog>
)
