/** The one-time right to create the first admin. */
export interface Setup {
  /** Returns whether the right is still unused. */
  open(): Promise<boolean>
  /** Returns whether the secret is the printed one and set-up has not happened yet. */
  matches(secret: string): Promise<boolean>
  /** Uses up the right for all processes. Returns false if it was used already. */
  consume(): Promise<boolean>
}
