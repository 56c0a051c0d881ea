// Temporary files and folders that know whether somebody still works on them, so that what a killed process has left
// can be told from what a living one needs.
#pragma once

#include <filesystem>
#include <string>

namespace convoy {

// Holds a file or folder that exists until the end of its scope, or of its process. On file systems without locks it
// holds nothing and finds nothing abandoned.
class Claim {
 public:
  explicit Claim(const std::filesystem::path& path);
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  ~Claim();

  // Whether no one else holds it.
  [[nodiscard]] bool is_held() const { return held_; }

 private:
  int descriptor_;
  bool held_ = false;
};

// Removes the entries of `folder` whose names begin and end so and that nobody claims.
void remove_abandoned(const std::filesystem::path& folder, const std::string& beginning,
                      const std::string& ending = "");

}  // namespace convoy
