import type { SignedCertificate } from '../records/host.ts'

/** The certificate authority of the agents. Its key never leaves it. */
export interface Authority {
  /** Returns its own certificate as PEM. */
  certificate(): Promise<string>
  /** Returns the SHA-256 of that certificate in hex. */
  fingerprint(): Promise<string>
  /**
   * Issues a certificate to a host for the key of a signing request (PEM).
   *
   * @throws 400 if the request is invalid
   */
  sign(request: string, hostId: string): Promise<SignedCertificate>
}
