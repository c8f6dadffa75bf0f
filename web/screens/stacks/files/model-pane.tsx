import { useSignal } from '@preact/signals'
import { Eye, EyeOff, X } from 'lucide'
import { useMemo } from 'preact/hooks'
import { useResource } from '../../../data/cache.ts'
import { can } from '../../../data/session.ts'
import { Loaded } from '../../../frame/loaded.tsx'
import { IconButton } from '../../../parts/button.tsx'
import { Editor } from '../../../parts/editor.tsx'
import { Select } from '../../../parts/select.tsx'
import { t } from '../../../text/text.ts'
import { maskModel } from './mask.ts'
import { toYaml } from './to-yaml.ts'

interface ModelPaneProps {
  name: string
  revision: number
  overlays: readonly string[]
  /** The overlay that is applied; empty for none. */
  overlay: string
  setOverlay: (overlay: string) => void
  isEdited: boolean
  onClose: () => void
}

/** What a deploy would use: the files merged, with variables substituted. */
export function ModelPane(props: ModelPaneProps) {
  const { name, revision, overlays, overlay, setOverlay, isEdited, onClose } = props
  const params = { name, ...(overlay !== '' && { environment: overlay }) }
  const read = useResource('/stacks/{name}/config', params)
  const isShown = useSignal(false)
  const model = read.value.value
  const text = useMemo(
    () => model && toYaml(isShown.value ? model : maskModel(model)),
    [model, isShown.value],
  )
  const problem = read.problem.value
  const options = ['', ...overlays].map((one) => ({ value: one, label: one || t.files.noOverlay }))
  return (
    <section class="files-model" aria-label={t.files.model}>
      <header>
        <h2>{t.files.model}</h2>
        {overlays.length > 0 && (
          <Select
            label={t.files.overlay}
            value={overlay}
            options={options}
            onChange={setOverlay}
            isBare
          />
        )}
        {can('stacks:secrets') && (
          <IconButton
            icon={isShown.value ? EyeOff : Eye}
            label={isShown.value ? t.files.hide : t.files.show}
            onClick={() => {
              isShown.value = !isShown.value
            }}
          />
        )}
        <IconButton icon={X} label={t.files.closeModel} onClick={onClose} />
      </header>
      <p>
        {t.files.modelSaved(revision)}. {isEdited && t.files.modelEdited}
      </p>
      <Loaded
        // A model of files that no longer load is that of others.
        of={{ ...read, value: { value: problem ? undefined : text } }}
        what={t.files.modelWhat}
        failed={t.files.modelFailed}
      >
        {(known) => <Editor label={t.files.model} language="yaml" value={known} />}
      </Loaded>
    </section>
  )
}
