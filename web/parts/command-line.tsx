import './command-line.css'
import { Copy } from './copy.tsx'

interface CommandLineProps {
  command: string
  /** What the button copies: "the command". */
  what: string
}

/** A line to use elsewhere, such as a command or a key, with a button that copies it. */
export const CommandLine = ({ command, what }: CommandLineProps) => (
  <div class="command-line">
    <code>{command}</code>
    <Copy text={command} what={what} />
  </div>
)
