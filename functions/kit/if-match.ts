/**
 * Which version of a thing a response shows, as text without quotes. It changes with every change
 * that a user makes, but not with values that change by themselves, such as the alerts that fire.
 */
export type Edition = string | number

/** The condition of a change: the versions of the thing that `If-Match` names. */
export interface IfMatch {
  /** Whether the request names versions. It does not without the header, and with `*`. */
  readonly namesVersions: boolean
  /**
   * Call it with the record that the change is then written on the condition of.
   *
   * @throws 409 if the request names versions, and none is of this edition
   */
  check(edition: Edition): void
}
