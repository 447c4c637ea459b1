/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_CLIENT_CREDENTIAL?: string
  readonly VITE_DEFAULT_SCHOOL?: string
  readonly VITE_LOGIN_RETURN?: string
}
