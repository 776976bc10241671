import { Dialog } from '../explorer/dialog.tsx';

/** What it needs. */
export type LeaveDialogProps = {
  readonly save: () => Promise<boolean>;
  readonly leave: () => void;
  readonly stay: () => void;
};

/** Asks what to do with what is not saved. */
export function LeaveDialog({ save, leave, stay }: LeaveDialogProps) {
  return (
    <Dialog label="Unsaved changes" className="dialog" close={stay}>
      <h2>Save your changes?</h2>
      <p>Something in this property is not saved yet.</p>
      <p class="dialog-actions">
        <button
          type="button"
          class="button primary"
          onClick={async () => ((await save()) ? leave() : stay())}
        >
          Save and leave
        </button>
        <button type="button" class="button" onClick={leave}>
          Leave without saving
        </button>
        <button type="button" class="button" onClick={stay}>
          Stay here
        </button>
      </p>
    </Dialog>
  );
}
