/** Collects what is wrong with the settings, so that an operator sees all of it at once. */
export class SettingFaults {
  readonly all: string[] = [];

  add(sentence: string): void {
    this.all.push(sentence);
  }
}
