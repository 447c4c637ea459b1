import type { IdentityProvider } from '../../../contract/school/identity/identity.calls.ts'
import type { PublicContext } from '../../core/request/context.ts'

/** What asking a provider needs of the service. */
export type ProviderServices = Pick<PublicContext, 'config' | 'secrets' | 'clock'>

/** A provider of a school as the service uses it, with the secret as it is kept. */
export type Provider = Omit<IdentityProvider, 'hasSecret' | 'can'> & { schoolId: string; sealedSecret: Buffer | null }

/** One sign-in through a provider: where its page sends the browser back to, and what the sign-in is known by. */
export interface AuthRequest {
  callback: string
  state: string
}

/**
 * Who a provider says somebody is: their 学号 or 工号, null where it knows none, and what it calls the session and the
 * person when it ends them.
 */
export interface ExternalIdentity {
  number: string | null
  ticket: string | null
  /** What it calls the person, for good. */
  subject: string | null
  /** What it said, where that names itself: it then counts once, until that many seconds have gone. */
  once?: { id: string; seconds: number }
}

/** Whom a provider has signed out: a session, or a person everywhere. */
export interface SignedOut {
  ticket?: string
  subject?: string
  /** Where the notice names itself: it then counts once, until that many seconds have gone. */
  notice?: { id: string; seconds: number }
  /** The provider's address to which the browser is sent on, where the notice came by one. */
  answer?: string
}

export interface TestStep {
  name: string
  isGood: boolean
  text: string
}

/** What differs between providers; states, codes, people and sessions are the flow's (identity-flow.service.ts). */
export interface SignInProtocol {
  /** The page where somebody signs in. */
  loginPage(ctx: PublicContext, provider: Provider, authRequest: AuthRequest): Promise<string>
  /** Asks the provider itself about what the browser brought back. Throws a failure for the person. */
  resolveCallback(
    ctx: PublicContext,
    provider: Provider,
    authRequest: AuthRequest,
    query: Record<string, string>,
  ): Promise<ExternalIdentity>
  /** Reads a notice of a sign-out; undefined where it is none or proves nothing. */
  signedOut(
    ctx: PublicContext,
    provider: Provider,
    form: Record<string, string>,
    callback: string,
  ): Promise<SignedOut | undefined>
  /** The provider's page of signing out, to come back to `back`; undefined where it has none. */
  logoutPage(ctx: PublicContext, provider: Provider, back: string): Promise<string | undefined>
  /** What is right and what is wrong with the provider, in words for the administrator. */
  test(ctx: PublicContext, provider: Provider): Promise<TestStep[]>
}
