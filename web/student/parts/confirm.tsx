import { useState, type ReactNode } from 'react'

/** Something that gives up for good what the student has. */
interface Question {
  /** What is done, as its button says. */
  name: string
  /** What is lost by it, as a question. */
  text: string
  /** Rejects where it was not done, which the student has been told then. */
  run: () => Promise<unknown>
}

/**
 * Asks once more before something is given up for good: one tap of a thumb may be by mistake. `question` stands in
 * place of the buttons while it is asked.
 */
export function useConfirm(): { ask: (question: Question) => void; question: ReactNode } {
  const [asked, setAsked] = useState<Question>()
  const [isSending, setSending] = useState(false)
  const confirm = async ({ run }: Question) => {
    setSending(true)
    try {
      await run()
      setAsked(undefined)
    } catch {
      // the student has been told, and may try again
    } finally {
      setSending(false)
    }
  }
  const question = asked && (
    <div className="s-going" role="group" aria-label={asked.name}>
      <p>{asked.text}</p>
      <div className="s-acts">
        <button type="button" className="s-button" onClick={() => setAsked(undefined)}>
          返回
        </button>
        <button type="button" className="s-button s-primary" disabled={isSending} onClick={() => void confirm(asked)}>
          确认
        </button>
      </div>
    </div>
  )
  return { ask: setAsked, question }
}
