import './settings/settings.css'
import { useSignal } from '@preact/signals'
import { useResource } from '../data/cache.ts'
import { can, hasEveryHost } from '../data/session.ts'
import { changeSettings, type Settings } from '../data/settings.ts'
import { useAct } from '../data/use-act.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { NoPermission } from '../parts/no-permission.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { t } from '../text/text.ts'
import {
  changesOf,
  groups,
  inputText,
  isSize,
  type SettingName,
} from './settings/settings-draft.ts'
import { settingsTabs } from './settings/settings-tabs.ts'
import { UpgradePanel } from './settings/upgrade-panel.tsx'

/** The settings of the service, and its version, which others may upgrade too. */
export default function SettingsPage() {
  const mayUpgrade = can('service:upgrade') && hasEveryHost()
  const mayManage = can('settings:manage')
  return (
    <Page title={t.frame.settings} tabs={settingsTabs()}>
      {mayUpgrade && <UpgradePanel />}
      {mayManage && <ServiceSettings />}
      {mayUpgrade || mayManage ? <Version /> : <NoPermission permission="settings:manage" />}
    </Page>
  )
}

function ServiceSettings() {
  const settings = useResource('/settings')
  const sources = useResource('/settings/sources').value.value ?? []
  const pinned = new Set(sources.filter((one) => one.pinned).map(({ key }) => key))
  return (
    <Loaded of={settings} what={t.frame.settings} failed={t.settings.failed}>
      {(value) => <Form settings={value} pinned={pinned} />}
    </Loaded>
  )
}

/** What a report of a fault names. */
function Version() {
  const { value } = useResource('/version')
  if (!value.value) return null
  const { version, commit } = value.value
  return (
    <p class="quiet-text settings-version">
      {t.product} {version} {commit !== null && <code>{commit.slice(0, 12)}</code>}
    </p>
  )
}

interface FormProps {
  settings: Settings
  /** The settings that the configuration sets. */
  pinned: ReadonlySet<keyof Settings>
}

function Form({ settings, pinned }: FormProps) {
  const typed = useSignal<Partial<Record<SettingName, string>>>({})
  const save = useAct(changeSettings, {
    ended: () => t.settings.saved,
    failed: t.settings.notSaved,
    tellsProblem: false,
  })
  const changes = changesOf(settings, typed.value)
  const count = Object.keys(changes).length
  const submit = async (event: Event) => {
    event.preventDefault()
    if (count > 0 && (await save.run(changes))) typed.value = {}
  }
  const problem = save.problem.value
  return (
    <form class="settings-form" onSubmit={(event) => void submit(event)}>
      {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
        <Panel key={group} title={t.settings.groups[group]}>
          <div class="settings-fields">
            {groups[group].map((name) => (
              <SettingField
                key={name}
                name={name}
                value={typed.value[name] ?? inputText(name, settings[name])}
                isList={Array.isArray(settings[name])}
                isPinned={pinned.has(name)}
                onInput={(text) => {
                  typed.value = { ...typed.value, [name]: text }
                }}
              />
            ))}
          </div>
        </Panel>
      ))}
      <div class="settings-save">
        {problem && <Problem title={t.settings.notSaved} {...problem} />}
        <Button
          kind="primary"
          type="submit"
          busy={save.pending.value && t.alerts.saving}
          blocked={count === 0 ? t.settings.nothingChanged : undefined}
        >
          {t.settings.save}
        </Button>
        <span role="status" class="quiet-text">
          {count > 0 && t.settings.changed(count)}
        </span>
      </div>
    </form>
  )
}

interface SettingFieldProps {
  name: SettingName
  value: string
  isList: boolean
  isPinned: boolean
  onInput: (text: string) => void
}

function SettingField({ name, value, isList, isPinned, onInput }: SettingFieldProps) {
  const [label, help] = t.settings.names[name]
  return (
    <TextField
      label={isSize(name) ? t.settings.inMebibytes(label) : label}
      help={isPinned ? t.settings.pinned : help}
      readOnly={isPinned}
      type={isList ? 'text' : 'number'}
      value={value}
      onInput={onInput}
      autocomplete="off"
      required={!isList}
    />
  )
}
