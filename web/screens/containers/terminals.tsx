import './terminals.css'
import { useSignal } from '@preact/signals'
import { Plus, X } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import type { ContainerDetails } from '../../data/containers.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'
import { type Shell, startExec } from './exec-session.ts'
import { Terminal } from './terminal.tsx'

interface Opened {
  number: number
  shell: Shell
}

const shells = {
  auto: ['/bin/sh', '-c', 'command -v bash >/dev/null && exec bash || exec sh'],
  bash: ['bash'],
  sh: ['/bin/sh'],
} as const

type ShellName = keyof typeof shells

const shownTerminal = '.terminal-tab:not([hidden]) textarea'

/** Terminals in a container, as tabs. They stay while another tab of the container is shown. */
export default function Terminals({
  container,
  isShown,
}: {
  container: ContainerDetails
  isShown: boolean
}) {
  const usual: Shell = { command: shells.auto, user: '' }
  const isRunning = container.state === 'running'
  const opened = useSignal<readonly Opened[]>(isRunning ? [{ number: 1, shell: usual }] : [])
  const current = useSignal(1)
  const next = useRef(2)
  const list = useRef<HTMLDivElement>(null)
  const another = useRef<HTMLButtonElement>(null)
  // The button that closed the last one is gone.
  useEffect(() => {
    if (document.activeElement === document.body) another.current?.focus()
  }, [opened.value.length])
  const open = (shell: Shell) => {
    opened.value = [...opened.value, { number: next.current, shell }]
    current.value = next.current
    next.current += 1
  }
  const close = (number: number) => {
    opened.value = opened.value.filter((one) => one.number !== number)
    if (current.value === number) current.value = opened.value.at(-1)?.number ?? 0
  }
  const choose = (number: number, tab: HTMLElement) => {
    current.value = number
    // One that is shown already gets the focus too.
    tab.closest('.terminals')?.querySelector<HTMLElement>(shownTerminal)?.focus()
  }
  const leave = () => list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
  return (
    <div class="terminals" hidden={!isShown}>
      <div class="terminal-bar">
        <div ref={list} role="tablist" aria-label={t.container.terminal}>
          {opened.value.map(({ number }) => (
            <button
              key={number}
              type="button"
              role="tab"
              aria-selected={number === current.value}
              onClick={(event) => choose(number, event.currentTarget)}
            >
              {t.container.tab(number)}
            </button>
          ))}
        </div>
        {opened.value.length > 0 && (
          <IconButton
            icon={X}
            label={t.container.closeTab(t.container.tab(current.value))}
            onClick={() => close(current.value)}
          />
        )}
        <NewTerminal blocked={isRunning ? undefined : t.container.notRunning} onOpen={open} />
      </div>
      {opened.value.length === 0 && (
        <div class="terminal-none">
          {isRunning ? (
            <Empty
              title={t.container.noTerminals}
              action={
                <Button kind="primary" icon={Plus} buttonRef={another} onClick={() => open(usual)}>
                  {t.container.open}
                </Button>
              }
            />
          ) : (
            <Empty title={t.container.notRunning}>{t.container.startToUse}</Empty>
          )}
        </div>
      )}
      {opened.value.map(({ number, shell }) => (
        <Terminal
          key={number}
          start={(size, onOutput) => startExec(container, shell, size, onOutput)}
          isShown={isShown && number === current.value}
          onLeave={leave}
        />
      ))}
    </div>
  )
}

interface NewProps {
  blocked: string | undefined
  onOpen: (shell: Shell) => void
}

/** Opens another terminal: with which shell, and as whom. */
function NewTerminal({ blocked, onOpen }: NewProps) {
  const name = useSignal<ShellName>('auto')
  const user = useSignal('')
  const options = [
    { value: 'auto' as const, label: t.container.shellAuto },
    { value: 'bash' as const, label: 'bash' },
    { value: 'sh' as const, label: 'sh' },
  ]
  const submit = (event: Event) => {
    event.preventDefault()
    if (blocked === undefined) onOpen({ command: shells[name.value], user: user.value.trim() })
  }
  return (
    <form class="terminal-new" onSubmit={submit}>
      <Select
        label={t.container.shell}
        value={name.value}
        options={options}
        onChange={(value) => {
          name.value = value
        }}
        isBare
      />
      <input
        class="input code"
        aria-label={t.container.asUser}
        placeholder={t.container.asUserDefault}
        autocomplete="off"
        spellcheck={false}
        value={user.value}
        onInput={(event) => {
          user.value = event.currentTarget.value
        }}
      />
      <Button type="submit" icon={Plus} blocked={blocked}>
        {t.container.open}
      </Button>
    </form>
  )
}
