import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { type ITheme, Terminal } from '@xterm/xterm'
import { copyText } from '../../parts/copy-text.ts'
import { withNonce } from '../../parts/nonce.ts'
import { onTheme, resolvedColor } from './resolved-color.ts'

export interface TerminalPane {
  readonly columns: number
  readonly rows: number
  write(bytes: Uint8Array): void
  /** Shows a line of ours. */
  say(line: string): void
  /** Types keys, as if the reader had. */
  type(keys: string): void
  fit(): void
  focus(): void
  close(): void
}

export interface Handlers {
  onInput: (bytes: Uint8Array) => void
  onSize: (columns: number, rows: number) => void
  /** The reader leaves by F6: Tab belongs to the shell. */
  onLeave: () => void
  /** The id of the text that says so. */
  hint: string
}

/** Opens a terminal in an element, in the colours of the theme. */
export async function openTerminal(place: HTMLElement, on: Handlers): Promise<TerminalPane> {
  await document.fonts.load('13px "JetBrains Mono"')
  const terminal = new Terminal({
    fontFamily: '"JetBrains Mono", monospace',
    fontSize: 13,
    lineHeight: 1.2,
    scrollback: 10_000,
    theme: themeOf(place),
    minimumContrastRatio: 4.5,
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  withNonce(() => terminal.open(place))
  terminal.textarea?.setAttribute('aria-describedby', on.hint)
  fit.fit()
  const encoder = new TextEncoder()
  terminal.onData((text) => on.onInput(encoder.encode(text)))
  terminal.onBinary((text) => on.onInput(Uint8Array.from(text, (letter) => letter.charCodeAt(0))))
  terminal.onResize(({ cols, rows }) => on.onSize(cols, rows))
  terminal.attachCustomKeyEventHandler((event) => takesKey(event, terminal, on.onLeave))
  const observer = new ResizeObserver(() => {
    if (place.clientWidth > 0) fit.fit()
  })
  observer.observe(place)
  const stop = onTheme(() => {
    terminal.options.theme = themeOf(place)
  })
  void addMore(terminal)
  return {
    get columns() {
      return terminal.cols
    },
    get rows() {
      return terminal.rows
    },
    write: (bytes) => terminal.write(bytes),
    say: (line) => terminal.write(`\r\n\u001b[2m${line}\u001b[0m\r\n`),
    type: (keys) => terminal.input(keys),
    fit: () => fit.fit(),
    focus: () => terminal.focus(),
    close() {
      stop()
      observer.disconnect()
      terminal.dispose()
    },
  }
}

/** Returns whether the terminal takes a key. Copy and paste belong to the browser. */
function takesKey(event: KeyboardEvent, terminal: Terminal, leave: () => void): boolean {
  if (event.type !== 'keydown') return true
  if (event.key === 'F6') {
    event.preventDefault()
    leave()
    return false
  }
  const isCommand = event.ctrlKey || event.metaKey
  const key = event.key.toLowerCase()
  if (isCommand && key === 'c' && (event.shiftKey || event.metaKey || terminal.hasSelection())) {
    event.preventDefault()
    void copyText(terminal.getSelection()).then(() => terminal.focus())
    terminal.clearSelection()
    return false
  }
  // The browser pastes into the field of the terminal.
  return !(isCommand && key === 'v')
}

/** Adds what the first prompt does not wait for: links, and drawing by the graphics card. */
async function addMore(terminal: Terminal): Promise<void> {
  const [{ WebLinksAddon }, { WebglAddon }] = await Promise.all([
    import('@xterm/addon-web-links'),
    import('@xterm/addon-webgl'),
  ])
  terminal.loadAddon(new WebLinksAddon())
  try {
    const webgl = new WebglAddon()
    webgl.onContextLoss(() => webgl.dispose())
    withNonce(() => terminal.loadAddon(webgl))
  } catch (error) {
    // Without WebGL 2 the terminal draws with elements, only slower.
    console.info('The terminal draws without WebGL', error)
  }
}

function themeOf(place: HTMLElement): ITheme {
  const color = (property: string) => resolvedColor(place, property)
  const [red, green, yellow, blue] = ['--failed', '--running', '--attention', '--accent'].map(color)
  const text = color('--text')
  const dim = color('--text-2')
  return {
    background: color('--surface-0'),
    foreground: text,
    cursor: color('--accent'),
    cursorAccent: color('--surface-0'),
    selectionBackground: color('--surface-3'),
    ...(red && { red, brightRed: red }),
    ...(green && { green, brightGreen: green }),
    ...(yellow && { yellow, brightYellow: yellow }),
    ...(blue && { blue, brightBlue: blue }),
    black: color('--surface-3'),
    brightBlack: dim,
    white: text,
    brightWhite: text,
  }
}
