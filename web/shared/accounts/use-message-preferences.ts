import { useState } from 'react'
import type { Input, Output } from '../../../contract/core/call.ts'
import { messagePreferenceApi } from '../../../contract/school/channels/message-texts.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'

type Preference = Output<typeof messagePreferenceApi.list>[number]
type Choice = Input<typeof messagePreferenceApi.save>

/** A channel with what the person has chosen for each kind of message. */
interface ChannelPreferences {
  odChannel: Preference['odChannel']
  name: string
  /** Where it goes, masked, or that it goes nowhere yet. */
  target: string
  kinds: { messageKind: Preference['messageKind']; name: string; mpMode: Preference['mpMode']; modes: ModeChoice[] }[]
}
interface ModeChoice {
  value: Preference['mpMode']
  label: string
}

/** By which channel the person gets which messages, and how they choose. What was chosen shows at once. */
export function useMessagePreferences() {
  const answer = useCall(messagePreferenceApi.list, {}, { staleTime: 0 })
  const save = useSend(messagePreferenceApi.save)
  const [chosen, setChosen] = useState<Choice>()
  const choose = (choice: Choice) => {
    setChosen(choice)
    void save
      .send(choice)
      .then(
        () => notify('success', '已保存'),
        () => undefined,
      )
      .finally(() => setChosen(undefined))
  }
  /** The rows of an answer by their channels. */
  const byChannel = (rows: readonly Preference[]): ChannelPreferences[] =>
    [...new Set(rows.map(({ odChannel }) => odChannel))].map((odChannel) => {
      const own = rows.filter((row) => row.odChannel === odChannel)
      const name = labelOf('message_channel', odChannel)
      return {
        odChannel,
        name,
        target: own[0]!.target || `尚无地址，收不到${name}；请联系学院补充联系方式`,
        kinds: own.map(({ messageKind, mpMode, modes }) => ({
          messageKind,
          name: `${labelOf('message_kind', messageKind)}消息`,
          mpMode: chosen?.odChannel === odChannel && chosen.messageKind === messageKind ? chosen.mpMode : mpMode,
          modes: modes.map((value) => ({ value, label: labelOf('message_mode', value) })),
        })),
      }
    })
  return { answer, byChannel, choose, isSaving: save.isSending }
}
