const mounts = /^\s*RUN\s+--(mount|network|security)\b/i
const flags = /^\s*(COPY|ADD)\s.*--(link|chmod|exclude|parents|checksum|keep-git-dir)\b/i
const platforms = /^\s*(FROM\s.*--platform=|ARG\s+(TARGET|BUILD)(PLATFORM|OS|ARCH|VARIANT)\b)/i
const heredoc = /^\s*(RUN|COPY|ADD)\s.*<<-?["']?[A-Za-z_]/i

/** True for a Dockerfile that says what the Engine's old builder refuses or reads wrongly, and BuildKit understands. */
export function needsBuildKit(dockerfile: string): boolean {
  return dockerfile
    .split('\n')
    .some((line) => [mounts, flags, platforms, heredoc].some((pattern) => pattern.test(line)))
}
