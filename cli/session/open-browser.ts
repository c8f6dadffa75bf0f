import { spawn } from 'node:child_process'
import type { Io } from '../io.ts'

const openers: Record<string, [string, ...string[]]> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Tries to open an address in the user's browser. Does nothing if that is not possible: the address
 * was printed.
 */
export function openBrowser(address: string, { stderr, platform, env }: Io): void {
  const hasScreen = platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY
  if (!stderr.isTTY || !hasScreen) return
  const [program, ...before] = openers[platform] ?? ['xdg-open']
  const child = spawn(program, [...before, address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
